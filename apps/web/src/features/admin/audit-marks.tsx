import type { AuditEntry } from '@community/contract'
import { useT } from '../../lib/i18n.ts'
import { Badge } from '../../ui/badge.tsx'
import { AUDIT_WORDS, subjectOf } from './audit-words.ts'

/** What was done, and to what where the entry names it. */
export function AuditAction({ entry }: { entry: Pick<AuditEntry, 'action' | 'details'> }) {
  const t = useT()
  const words = AUDIT_WORDS[entry.action]
  const subject = subjectOf(entry.details)
  return (
    <>
      {words ? t(words) : <bdi>{entry.action}</bdi>}
      {subject !== null && (
        <>
          {': '}
          <bdi className="text-ink-2">{subject}</bdi>
        </>
      )}
    </>
  )
}

/** A refusal by its code; nothing for what was done. */
export function AuditResult({ entry }: { entry: Pick<AuditEntry, 'result'> }) {
  return entry.result === 'done' ? null : (
    <Badge tone="bad">
      <bdi>{entry.result}</bdi>
    </Badge>
  )
}
