import { useAction } from '../../lib/action.ts'
import { downloadFile } from '../../lib/download.ts'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

const EXPORT = { mutate: (_input: void) => downloadFile('/api/users/export') }

/** Saves everything stored about the user as an archive. */
export function DownloadData() {
  const t = useT()
  const download = useAction(EXPORT, {})
  return (
    <section aria-labelledby="own-data" className="grid gap-4 border-t border-line pt-6">
      <h3 id="own-data" className="text-lg font-semibold">
        {t('Your data')}
      </h3>
      <p className="text-ink-2">{t('A ZIP file of everything we store about you')}</p>
      {download.failure && <Notice tone="bad" message={download.failure} />}
      <Button className="justify-self-start" busy={download.isPending} onClick={() => void download.run()}>
        {t('Download')}
      </Button>
    </section>
  )
}
