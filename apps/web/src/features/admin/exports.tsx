import { useAction } from '../../lib/action.ts'
import { downloadFile } from '../../lib/download.ts'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

type Table = 'teams' | 'submissions' | 'leaderboard' | 'audit'

const TABLE = { mutate: (table: Table) => downloadFile(`/api/admin/export/${table}.csv`) }
const ARCHIVE = { mutate: (input: { password: string }) => downloadFile('/api/admin/export', input) }

function TableDownload({ name, label }: { name: Table; label: string }) {
  const download = useAction(TABLE, {})
  return (
    <>
      <Button className="max-sm:w-full" busy={download.isPending} onClick={() => void download.run(name)}>
        {label}
      </Button>
      {download.failure && <Notice tone="bad" message={download.failure} className="basis-full" />}
    </>
  )
}

/** Downloads of tables for spreadsheets, and of everything. */
export function Exports() {
  const t = useT()
  const archive = useAction(ARCHIVE, {
    input: (_target: void, { password }) => ({ password }),
    password: {
      title: t('Download everything'),
      message: t('The archive has the personal data of all members. Enter your admin password to download it.'),
      confirmLabel: t('Download'),
    },
  })
  const tables: { name: Table; label: string }[] = [
    { name: 'teams', label: t('Teams with members (CSV)') },
    { name: 'submissions', label: t('Submissions (CSV)') },
    { name: 'leaderboard', label: t('Leaderboard (CSV)') },
    { name: 'audit', label: t('Audit log (CSV)') },
  ]
  return (
    <section
      aria-labelledby="exports"
      className="grid max-w-2xl gap-4 rounded-card border border-line bg-surface px-4 py-3"
    >
      <h3 id="exports" className="text-lg font-semibold">
        {t('Your community’s data')}
      </h3>
      <p className="text-ink-2">{t('Each download is written to the audit log.')}</p>
      <div className="flex flex-wrap gap-3">
        {tables.map((table) => (
          <TableDownload key={table.name} {...table} />
        ))}
      </div>
      {archive.failure && <Notice tone="bad" message={archive.failure} />}
      <Button className="justify-self-start max-sm:w-full" busy={archive.isPending} onClick={() => void archive.run()}>
        {t('Everything (ZIP)')}
      </Button>
    </section>
  )
}
