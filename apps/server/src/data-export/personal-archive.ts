import { Readable } from 'node:stream'
import type { Deps } from '../context.ts'
import { findAllUploads, isUploadStored } from '../uploads/queries.ts'
import type { Person } from './decision.ts'
import { personalDataJson } from './personal-data.ts'
import { zipStream } from './zip-stream.ts'

/** Milliseconds after which an archive is given up: its reader is too slow, and others wait for their turn. */
const MAX_DURATION_MS = 15 * 60_000

/**
 * A ZIP archive of a person's files and data, `data.json` last so that it lists the files before it. One file is open at a time. The
 * stream fails where something cannot be read: an archive that ends is complete, but for files that the storage has lost, which
 * `data.json` names.
 */
export function personalArchive({ db, storage, log }: Pick<Deps, 'db' | 'storage' | 'log'>, person: Person): Readable {
  return zipStream(
    async (add) => {
      const missingFiles: string[] = []
      const addFile = async (file: Awaited<ReturnType<typeof findAllUploads>>[number]) => {
        const object = await storage.open(file.key)
        if (object) {
          const options = { size: file.size, mtime: file.createdAt, compress: false }
          await add(object.body, `files/${file.id}/${file.originalName}`, options)
        } else if (await isUploadStored(db, file.id)) {
          log.error({ uploadId: file.id }, 'the storage has no object for an upload')
          missingFiles.push(file.id)
        }
      }

      const seen = new Set<string>()
      // Until there are no new ones: a download takes minutes, in which the person may upload more.
      for (;;) {
        const files = (await findAllUploads(db, person.id)).filter(({ id }) => !seen.has(id))
        if (files.length === 0) break
        for (const file of files) {
          await addFile(file)
          seen.add(file.id)
        }
      }
      await add(Readable.from(personalDataJson(db, person, missingFiles)), 'data.json')
    },
    { maxDurationMs: MAX_DURATION_MS },
  )
}
