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
          'Sign in, open a team and choose Join This Team. Give your contact details, your experience and the role you will take from those the team needs. You join right away, as long as the team is active and not full. You can be in several teams.',
        ),
      ],
    },
    {
      question: t('How do challenges work?'),
      answer: [
        t(
          'Each challenge has a deadline, points and a list of requirements. The team chef applies, or a member submits a project for the team, with a link or a file of up to 10 MB (JPEG, PNG, GIF, PDF or ZIP). A person reviews it, gives a score from 1 to 100 and can write feedback. Rejected work can be submitted again while the challenge is open.',
        ),
      ],
    },
    {
      question: t('How do I create a team?'),
      answer: [
        t(
          'Choose Create Team and complete three steps: your details, the team, and the roles you need. You become the team chef: you apply to challenges, and you can rename the team, remove members or transfer ownership.',
        ),
      ],
    },
    {
      question: t('Which roles are there?'),
      answer: [
        t(
          'Development, design, marketing, management and others: from frontend and data to voice over, video and sound. Each team lists the roles it needs, and you join in one of them.',
        ),
      ],
    },
    {
      question: t('How is the leaderboard calculated?'),
      answer: [
        t(
          'Approved work earns the challenge’s points multiplied by its score out of 100, rounded to the nearest whole number, with halves rounded up: 80/100 on a challenge of 150 points earns 120, and 75/100 on one of 50 points earns 38. It keeps these points even if the challenge’s points change later.',
        ),
        t(
          'For each challenge, only the team’s best approved work counts. The team’s points are the total over all challenges. If an evaluation is reset or the work is deleted, its points are removed.',
        ),
        t(
          'Teams are ranked by points. With equal points, the team that reached them first ranks higher; if that is equal too, the order is alphabetical.',
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
      <h3 className="mb-2 text-xl">{t('Frequently asked questions')}</h3>
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
