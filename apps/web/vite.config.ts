import { fileURLToPath } from 'node:url'
import { constants } from 'node:zlib'
import { lingui } from '@lingui/vite-plugin'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { compression, defineAlgorithm } from 'vite-plugin-compression2'
import { defineConfig } from 'vitest/config'
import { bootScript } from './build/boot-script.ts'
import { chunkNameOf } from './build/chunks.ts'
import { browserCatalogs } from './build/browser-catalogs.ts'
import { completeCatalogs } from './build/complete-catalogs.ts'
import { preloads } from './build/preloads.ts'
import { translatedHtml } from './build/translated-html.ts'

const server = { target: `http://localhost:${process.env['PORT'] ?? 3000}`, changeOrigin: false }
/**
 * Modules of the initial chunk, with all that they import. Without a group, Rolldown splits code that lazy chunks share into
 * many small files.
 */
const FIRST_SCREEN = /apps\/web\/src\/(main|app\/app)\.tsx$/

/** Compresses text files at the highest level into `.br` and `.gz`, so that the server does not compress per request. */
const compressed = compression({
  include: /\.(js|css|html|svg|json|webmanifest)$/,
  threshold: 1024,
  skipIfLargerOrEqual: true,
  logLevel: 'silent',
  algorithms: [
    defineAlgorithm('brotliCompress', { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    defineAlgorithm('gzip', { level: 9 }),
  ],
})

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    lingui({ failOnCompileError: true }),
    browserCatalogs(),
    completeCatalogs(),
    translatedHtml(),
    preloads(),
    bootScript(fileURLToPath(new URL('./public/boot.js', import.meta.url))),
    compressed,
  ],
  build: {
    target: 'es2022',
    // The content security policy allows no data: fonts, and a font must be able to load alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // @trpc/* declares no `sideEffects: false`; unused classes would stay in.
      treeshake: { moduleSideEffects: [{ test: /node_modules\/@trpc\//, sideEffects: false }] },
      output: {
        codeSplitting: {
          groups: [
            { name: 'base', test: FIRST_SCREEN, priority: 3 },
            { name: 'radix', test: /node_modules\/@radix-ui\/react-(tabs|dismissable-layer|portal)\//, priority: 2 },
            // Apart from the forms, so that browsers keep it cached until zod is upgraded.
            { name: 'zod', test: /node_modules\/zod\//, priority: 2 },
            { name: 'forms', test: /node_modules\/(react-hook-form|@hookform)\//, priority: 2 },
            { name: chunkNameOf, debugName: 'shared', minShareCount: 2, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  // The server knows workers by their names: they keep the content security policy.
  worker: { rolldownOptions: { output: { entryFileNames: 'assets/worker-[name]-[hash].js' } } },
  server: {
    port: 5173,
    proxy: { '/api': server, '/trpc': server, '/files': server, '/auth/google': server, '/email-preferences': server },
  },
  test: {
    environment: 'happy-dom',
    // Each worker loads the app once, not once per file: half the suite's time. test/setup.ts cleans up after each test.
    isolate: false,
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
    setupFiles: ['./test/setup.ts'],
    css: false,
    // On two cores the default is one worker. Components wait for timers: with two workers a third of the time was idle.
    maxWorkers: 3,
    // It imports its worker with `?worker`, which only Vite resolves.
    server: { deps: { inline: ['altcha'] } },
    // Typing key by key is slow on a busy machine.
    testTimeout: 20_000,
  },
})
