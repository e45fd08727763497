import type { Challenge } from '@community/contract'
import { Square } from 'lucide-react'
import { useT } from '../lib/i18n.ts'
import { LinkedText } from '../ui/linked-text.tsx'

function BulletList({ items }: { items: readonly string[] }) {
  return (
    <ul className="grid gap-2.5">
      {items.map((item, index) => (
        // The order is fixed, and two lines may be equal.
        <li key={index} className="flex items-start gap-3">
          <Square aria-hidden="true" className="mt-1.5 size-3.5 shrink-0 text-control" />
          <span dir="auto" className="grow">
            <LinkedText text={item} />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** The requirements of a challenge, and the criteria that its work is judged by. */
export function ChallengeRequirements({ challenge }: { challenge: Challenge }) {
  const t = useT()
  return (
    <div className="grid grid-cols-1 gap-6">
      <BulletList items={challenge.requirements} />
      {challenge.evaluationCriteria.length > 0 && (
        <section className="grid gap-3">
          <h3>{t('How it is judged')}</h3>
          <BulletList items={challenge.evaluationCriteria} />
        </section>
      )}
    </div>
  )
}
