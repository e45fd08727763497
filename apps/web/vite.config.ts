import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { catalogs } from './build/catalogs.ts'
import { preloads } from './build/preloads.ts'

const server = { target: 'http://localhost:3000', changeOrigin: false }
const locales = fileURLToPath(new URL('./src/locales', import.meta.url))

export default defineConfig({
  plugins: [react(), tailwindcss(), catalogs(locales), preloads()],
  build: {
    target: 'es2022',
    manifest: true,
    // The content security policy allows no data: fonts, and a font must be able to load alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    port: 5173,
    proxy: { '/api': server, '/trpc': server, '/files': server, '/auth/google': server },
  },
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
    setupFiles: ['./test/setup.ts'],
    css: false,
  },
})
