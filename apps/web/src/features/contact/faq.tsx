import { ChevronDown } from 'lucide-react'
import { useT } from '../../lib/i18n.ts'

/** The six questions, each a `<details>` element. */
export function Faq() {
  const t = useT()
  const entries = [
    {
      question: t('How do I join a team?'),
      answer: [
        t(
          'Sign in, open a team and choose Join This Team. You say how to reach you, your experience, and which of the roles the team needs you take. You are in at once, as long as the team is active and has a seat left. You may be in several teams.',
        ),
      ],
    },
    {
      question: t('How do challenges work?'),
      answer: [
        t(
          'Each challenge has a deadline, points and a list of requirements. The team chef applies with a link or a file of at most 10 MB (JPEG, PNG, GIF, PDF or ZIP). A person reviews it, gives a score from 1 to 100 and writes feedback. Rejected work may be sent again while the challenge is open.',
        ),
      ],
    },
    {
      question: t('How do I create a team?'),
      answer: [
        t(
          'Choose Create Team and go through three steps: about you, about the team, and the roles you look for. You become its chef: you apply to challenges, rename the team, remove members, or hand the team over.',
        ),
      ],
    },
    {
      question: t('Which roles are there?'),
      answer: [
        t(
          'Development, design, marketing, management and other crafts: from frontend and data to voice over, video and sound. A team names the roles it needs, and you join with one of them.',
        ),
      ],
    },
    {
      question: t('How is the leaderboard calculated?'),
      answer: [
        t(
          'Approved work earns the points of its challenge times its score out of 100, rounded, halves up: 80/100 on a challenge of 150 points earns 120, 75/100 on one of 50 points earns 38. It keeps these points if the challenge’s points change later.',
        ),
        t(
          'For each challenge only the team’s best approved work counts; the sum over all challenges is the team’s points. When a verdict is taken back or the work is deleted, its points go too.',
        ),
        t(
          'Teams stand by points; with equal points they share a rank, and the team that reached them first stands higher, then the one whose name comes first.',
        ),
      ],
    },
    {
      question: t('Is it free to join?'),
      answer: [t('Yes. Accounts, teams and challenges cost nothing.')],
    },
  ]
  return (
    <div>
      <h3 className="mb-2 text-xl">{t('Questions people ask')}</h3>
      <div className="border-t border-line">
        {entries.map(({ question, answer }) => (
          <details key={question} className="group border-b border-line">
            <summary className="flex min-h-13 list-none items-center justify-between gap-4 py-2 font-semibold hover:text-primary [&::-webkit-details-marker]:hidden">
              {question}
              <ChevronDown
                aria-hidden="true"
                className="size-5 shrink-0 text-muted transition-transform group-open:rotate-180"
              />
            </summary>
            <div className="grid max-w-2xl gap-2 pb-4 text-ink-2">
              {answer.map((paragraph) => (
                <p key={paragraph}>{paragraph}</p>
              ))}
            </div>
          </details>
        ))}
      </div>
    </div>
  )
}
