import type { Submission } from '@community/contract'
import { FileArchive, FileImage, FileText, Image, ImageOff, type LucideIcon } from 'lucide-react'
import { type ComponentType, useState } from 'react'
import { formatMegabytes } from '../lib/format.ts'
import { msg, type Translate, useT } from '../lib/i18n.ts'
import { Button } from '../ui/button.tsx'
import { LinkCard } from './link-card.tsx'
import { LINK_KINDS } from './link-kinds.ts'
import { parseLink } from './parse-link.ts'
import { SERVICE_ICONS } from './service-icons.ts'
import { WorkPreview } from './work-preview.tsx'

const FILE_KINDS: Record<string, { label: string; Icon: LucideIcon }> = {
  'image/jpeg': { label: msg('JPEG image'), Icon: FileImage },
  'image/png': { label: msg('PNG image'), Icon: FileImage },
  'image/gif': { label: msg('GIF image'), Icon: FileImage },
  'application/pdf': { label: msg('PDF document'), Icon: FileText },
  'application/zip': { label: msg('ZIP archive'), Icon: FileArchive },
}
const ANY_FILE = { label: msg('File'), Icon: FileText }

type Work = Pick<Submission, 'type' | 'content' | 'fileInfo' | 'preview' | 'teamId' | 'challengeId'>

interface WorkDescription {
  Icon: ComponentType<{ className: string }>
  title: string
  /** Kind, service, host and size, as separate texts. */
  notes: string[]
}

function describeLink(t: Translate, address: string): WorkDescription {
  const link = parseLink(address)
  const { label, Icon } = LINK_KINDS[link?.kind ?? 'page']
  const title = link?.title ?? address
  const service = link?.service === title ? null : link?.service
  const notes = [t(label), service, link?.host].filter((note): note is string => Boolean(note))
  return { Icon: SERVICE_ICONS[link?.service ?? ''] ?? Icon, title, notes }
}

function describeFile(t: Translate, { content, fileInfo, preview }: Work): WorkDescription {
  const { label, Icon } = (fileInfo && FILE_KINDS[fileInfo.mimeType]) ?? ANY_FILE
  const pageCount = preview?.pageCount ?? null
  const pages = pageCount === null ? null : t('{count, plural, one {# page} other {# pages}}', { count: pageCount })
  const notes = [t(label), pages, fileInfo && formatMegabytes(fileInfo.fileSize)]
  return { Icon, title: fileInfo?.originalName ?? content, notes: notes.filter((note) => note !== null) }
}

interface WorkContentProps {
  work: Work
  /** Shows the full URL below the name. */
  showsUrl?: boolean
  /** Fills the place of a missing preview, so that adjacent cards look alike. */
  hasCover?: boolean
}

/**
 * Submitted work as a link with its kind, name, host and size, below its preview. Nothing is fetched from other hosts; a
 * picture without a preview is loaded on request.
 */
export function WorkContent({ work, showsUrl = false, hasCover = false }: WorkContentProps) {
  const t = useT()
  const { Icon, title, notes } = work.type === 'link' ? describeLink(t, work.content) : describeFile(t, work)
  const isPicture = work.type === 'upload' && work.fileInfo?.mimeType.startsWith('image/') === true
  return (
    <div className="grid grid-cols-1 content-start gap-2">
      <div className="relative grid grid-cols-1 gap-2">
        <WorkPreview work={work} layout={showsUrl ? 'whole' : 'card'} />
        {hasCover && !work.preview && (
          <span className="hidden aspect-8/5 place-items-center rounded-control border border-line bg-sunken text-muted sm:grid">
            <Icon aria-hidden="true" className="size-10" />
          </span>
        )}
        <LinkCard
          address={work.content}
          Icon={Icon}
          title={title}
          notes={notes}
          className="bg-sunken after:absolute after:inset-0"
        />
      </div>
      {showsUrl && work.type === 'link' && (
        <p dir="ltr" className="select-all px-3 text-sm break-all text-ink-2 rtl:text-end">
          {work.content}
        </p>
      )}
      {isPicture && !work.preview && <Picture address={work.content} name={title} />}
    </div>
  )
}

/** An uploaded picture without a preview, loaded when the user asks for it. */
function Picture({ address, name }: { address: string; name: string }) {
  const t = useT()
  const [isShown, setIsShown] = useState(false)
  const [hasFailed, setHasFailed] = useState(false)
  const toggle = () => {
    setHasFailed(false)
    setIsShown(!isShown)
  }
  return (
    <>
      <Button aria-expanded={isShown} onClick={toggle} className="justify-self-start">
        {isShown ? <ImageOff aria-hidden="true" /> : <Image aria-hidden="true" />}
        {isShown ? t('Hide image') : t('Show image')}
      </Button>
      {isShown && !hasFailed && (
        <img
          src={address}
          alt={name}
          decoding="async"
          onError={() => setHasFailed(true)}
          className="max-h-96 w-full rounded-control border border-line bg-sunken object-contain"
        />
      )}
      {isShown && hasFailed && (
        <p role="alert" className="text-sm text-bad">
          {t('The image could not be loaded.')}
        </p>
      )}
    </>
  )
}
