import type { TeamMember } from '@community/contract'
import type { ReactNode } from 'react'

interface MemberListProps {
  title: string
  members: readonly TeamMember[]
  /** Renders a member's card. */
  children: (member: TeamMember) => ReactNode
}

/** Members as cards, under a heading. */
export function MemberList({ title, members, children }: MemberListProps) {
  return (
    <section className="grid gap-3">
      <h3 className="text-lg">{title}</h3>
      <ul className="grid gap-3 md:grid-cols-2">
        {members.map((member) => (
          <li key={member.id}>{children(member)}</li>
        ))}
      </ul>
    </section>
  )
}
