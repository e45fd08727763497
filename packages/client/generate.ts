import { writeFile } from 'node:fs/promises'
import { generateFiles } from './generated-files.ts'

for (const [name, text] of await generateFiles()) await writeFile(new URL(`src/${name}`, import.meta.url), text)
