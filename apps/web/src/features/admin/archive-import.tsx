import type { ArchiveImport as Import, ImportFault } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { useAction } from '../../lib/action.ts'
import { formatNumber } from '../../lib/format.ts'
import { msg, useT } from '../../lib/i18n.ts'
import { trpc, trpcClient } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FileInput } from '../../ui/file-input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { INVALIDATES, useArchiveUpload } from './archive-upload.ts'

const POLL_MS = 1000

const FAULTS: Record<ImportFault, string> = {
  'not-an-archive': msg('This file is not a complete archive of a community.'),
  damaged: msg('The archive is damaged. Download it again.'),
  'other-version': msg('The archive is from another version. Import it with that version, then upgrade.'),
  'not-empty': msg('This installation is no longer empty. The import continues once you delete what was added.'),
  'rejected-rows': msg('The archive has data that this installation cannot store.'),
  interrupted: msg('The import was interrupted too often. The server’s log says why. Try again.'),
}

const isActive = (current: Import | null | undefined) => current?.status === 'waiting' || current?.status === 'running'

/** Imports an archive into an empty installation; nothing is shown in any other. */
export function ArchiveImport() {
  const t = useT()
  const query = useQuery(
    trpc.admin.archiveImport.queryOptions(undefined, {
      refetchInterval: ({ state }) => isActive(state.data?.import) && POLL_MS,
    }),
  )
  if (!query.data || !(query.data.isPossible || query.data.import)) return null
  const current = query.data.import
  return (
    <section
      aria-labelledby="archive-import"
      className="grid max-w-2xl gap-4 rounded-card border border-line bg-surface px-4 py-3"
    >
      <h3 id="archive-import" className="text-lg font-semibold">
        {t('Import an archive')}
      </h3>
      {current?.status === 'done' && <Done current={current} />}
      {current && isActive(current) && <Running current={current} />}
      {current?.status !== 'done' && !isActive(current) && <Upload current={current} />}
    </section>
  )
}

function Done({ current }: { current: Import }) {
  const t = useT()
  const dismiss = useAction(trpcClient.admin.cancelImport, { reloads: true })
  const reload = (
    <Button busy={dismiss.isPending} onClick={() => void dismiss.run({ id: current.id })}>
      {t('Reload the page')}
    </Button>
  )
  return (
    <Notice tone="ok" action={reload}>
      {t('Imported {count} rows and files. People sign in with a new password, which they request by email.', {
        count: formatNumber(current.total),
      })}
    </Notice>
  )
}

function CancelButton({ id }: { id: string }) {
  const t = useT()
  const cancel = useAction(trpcClient.admin.cancelImport, {
    confirm: {
      title: t('Cancel the import?'),
      message: t('Nothing from the archive will be imported.'),
      confirmLabel: t('Cancel import'),
      cancelLabel: t('Back'),
    },
    success: t('Import cancelled'),
    failure: t('Failed to cancel the import'),
    invalidates: INVALIDATES,
  })
  return (
    <Button
      className="justify-self-start max-sm:w-full"
      busy={cancel.isPending}
      onClick={() => void cancel.run({ id })}
    >
      {t('Cancel import')}
    </Button>
  )
}

function Fault({ current: { fault, faultDetails } }: { current: Import }) {
  const t = useT()
  return (
    fault && (
      <Notice tone="bad">
        {t(FAULTS[fault])}
        {faultDetails !== null && <bdi className="block text-sm wrap-anywhere">{faultDetails}</bdi>}
      </Notice>
    )
  )
}

function Running({ current }: { current: Import }) {
  const t = useT()
  const { id, done, total, fault } = current
  return (
    <>
      <Fault current={current} />
      {fault === null && (
        <p className="text-ink-2">
          {total === 0
            ? t('The import is starting.')
            : t('{done} of {total} rows and files', { done: formatNumber(done), total: formatNumber(total) })}
        </p>
      )}
      <progress
        value={total === 0 ? undefined : done / total}
        max={1}
        aria-label={t('Import progress')}
        className="file-progress h-2 w-full"
      />
      <p className="text-sm text-muted">{t('You can leave this page. Don’t make changes until the import is done.')}</p>
      <CancelButton id={id} />
    </>
  )
}

function Upload({ current }: { current: Import | null }) {
  const t = useT()
  const { file, setFile, partial, isSame, progress, cancel, failure, isPending, upload } = useArchiveUpload(current)
  const isInterrupted = partial !== null && progress === null
  return (
    <>
      <p className="text-ink-2">
        {t('Choose the archive that “Everything (ZIP)” downloaded from another installation. Your account is kept.')}
      </p>
      {current && <Fault current={current} />}
      {isInterrupted && (
        <Notice>
          {t('Only a part of {name} has arrived. Choose the same file to continue.', { name: partial.fileName })}
        </Notice>
      )}
      <Field label={t('Archive')} required>
        <FileInput file={file} onFile={setFile} accept=".zip,application/zip" progress={progress} onCancel={cancel} />
      </Field>
      {failure && <Notice tone="bad" message={failure} />}
      <div className="flex flex-wrap gap-3">
        <Button
          className="max-sm:w-full"
          disabled={file === null}
          busy={isPending}
          onClick={() => void (file && upload(file))}
        >
          {isSame ? t('Continue the upload') : t('Import')}
        </Button>
        {isInterrupted && <CancelButton id={partial.id} />}
      </div>
    </>
  )
}
