import { fileURLToPath } from 'node:url'
import { constants } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { compression, defineAlgorithm } from 'vite-plugin-compression2'
import { defineConfig } from 'vitest/config'
import { catalogs } from './build/catalogs.ts'
import { completeCatalogs } from './build/message-ids.ts'
import { preloads } from './build/preloads.ts'

const server = { target: `http://localhost:${process.env['PORT'] ?? 3000}`, changeOrigin: false }
/**
 * The first screen, with all that it imports: one file. Named, because lazy parts share it, and shared code left alone
 * becomes a dozen small files.
 */
const FIRST_SCREEN = /apps\/web\/src\/(main|app\/app)\.tsx$/
/** What most lazy parts use beside that, in one file for the same reason. */
const PARTS =
  /apps\/web\/src\/(lib\/(community-links|format|infinite-list|memory-state|server-clock|failure-toast|viewer-zone)|ui\/modal-stack|app\/dialog-of)\.tsx?$/

const sources = fileURLToPath(new URL('./src', import.meta.url))
const locales = fileURLToPath(new URL('./src/locales', import.meta.url))

/** Compressed once, as far as it goes, so that the server need not: `.br` and `.gz` beside each file that is text. */
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
  plugins: [react(), tailwindcss(), catalogs(locales), completeCatalogs(sources), preloads(), compressed],
  build: {
    target: 'es2022',
    // The content security policy allows no data: fonts, and a font must be able to load alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Its packages do not say that a class which nobody uses may be left out.
      treeshake: { moduleSideEffects: [{ test: /node_modules\/@trpc\//, sideEffects: false }] },
      output: {
        codeSplitting: {
          groups: [
            { name: 'base', test: FIRST_SCREEN },
            { name: 'parts', test: PARTS },
            // What every form needs, apart from the forms: it changes only with its version.
            { name: 'zod', test: /node_modules\/zod\// },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: { '/api': server, '/trpc': server, '/files': server, '/auth/google': server },
  },
  test: {
    environment: 'happy-dom',
    // Each worker loads the app once, not once per file: half the suite's time. test/setup.ts ends what a test leaves behind.
    isolate: false,
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
    setupFiles: ['./test/setup.ts'],
    css: false,
    // The default leaves one of two cores idle.
    maxWorkers: 2,
    // Its worker is imported by `?worker`, which Node does not know.
    server: { deps: { inline: ['altcha'] } },
    // Typing key by key takes its time on a busy machine.
    testTimeout: 20_000,
  },
})
