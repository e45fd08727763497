import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'

/** A new empty folder, removed after all tests of the file. Call it at the top level of a test file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'community-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
