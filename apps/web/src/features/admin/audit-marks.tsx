import type { AuditEntry } from '@community/contract'
import { Fragment } from 'react'
import { useT } from '../../lib/i18n.ts'
import { Badge } from '../../ui/badge.tsx'
import { AUDIT_WORDS, subjectOf } from './audit-words.ts'

/** What was done, and to what or why, where that is known. */
export function AuditAction({ entry }: { entry: Pick<AuditEntry, 'action' | 'details' | 'targetName'> }) {
  const t = useT()
  const words = AUDIT_WORDS[entry.action]
  const subjects = [entry.targetName, subjectOf(entry.details)].filter((subject) => subject !== null)
  return (
    <>
      {words ? t(words) : <bdi>{entry.action}</bdi>}
      {[...new Set(subjects)].map((subject, place) => (
        <Fragment key={subject}>
          {place === 0 ? ': ' : ' · '}
          <bdi className="text-ink-2">{subject}</bdi>
        </Fragment>
      ))}
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
