import { readFileSync } from 'node:fs'
import { minifySync, type Plugin } from 'vite'

/** Minifies public/boot.js, which is no module, so that Vite only copies it. */
export function bootScript(file: string): Plugin {
  return {
    name: 'boot-script',
    apply: 'build',
    generateBundle() {
      const { code } = minifySync('boot.js', readFileSync(file, 'utf8'))
      this.emitFile({ type: 'asset', fileName: 'boot.js', source: code })
    },
  }
}
