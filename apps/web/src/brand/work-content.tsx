import type { Submission } from '@community/contract'
import { FileArchive, FileImage, FileText, Link2, type LucideIcon } from 'lucide-react'
import { formatMegabytes, msg, useT } from '../lib/i18n.ts'
import { linkName } from './link-name.ts'

const FILE_KINDS: Record<string, { word: string; Icon: LucideIcon }> = {
  'image/jpeg': { word: msg('JPEG image'), Icon: FileImage },
  'image/png': { word: msg('PNG image'), Icon: FileImage },
  'image/gif': { word: msg('GIF image'), Icon: FileImage },
  'application/pdf': { word: msg('PDF document'), Icon: FileText },
  'application/zip': { word: msg('ZIP archive'), Icon: FileArchive },
}
const ANY_FILE = { word: msg('File'), Icon: FileText }

type Work = Pick<Submission, 'type' | 'content' | 'fileInfo'>

/** What was handed in, as a link with its name, place and kind. Nothing is fetched to draw it. */
export function WorkContent({ work }: { work: Work }) {
  const t = useT()
  const kind = (work.fileInfo && FILE_KINDS[work.fileInfo.mimeType]) ?? ANY_FILE
  const link = linkName(work.content)
  const isLink = work.type === 'link'
  const Icon = isLink ? Link2 : kind.Icon
  const notes = (
    isLink ? [link?.service, link?.host] : [t(kind.word), work.fileInfo && formatMegabytes(work.fileInfo.fileSize)]
  ).filter((note): note is string => Boolean(note))
  const title = (isLink ? link?.title : work.fileInfo?.originalName) ?? work.content
  return (
    <a
      href={link ? work.content : undefined}
      target="_blank"
      rel="noopener noreferrer nofollow ugc"
      className="flex min-h-11 items-center gap-3 rounded-control border border-line bg-sunken px-3 py-2 transition-colors hover:border-control"
    >
      <Icon aria-hidden="true" className="size-5 shrink-0 text-primary" />
      <span className="min-w-0">
        <span className="block truncate font-medium">
          <bdi>{title}</bdi>
        </span>
        <span className="block truncate text-sm text-muted">
          {notes.map((note, index) => (
            <span key={note}>
              {index > 0 && ' · '}
              <bdi>{note}</bdi>
            </span>
          ))}
        </span>
      </span>
      <span className="sr-only">{t('opens in a new tab')}</span>
    </a>
  )
}
