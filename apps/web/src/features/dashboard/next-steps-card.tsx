import type { ReactNode } from 'react'
import { useT } from '../../lib/i18n.ts'
import { Skeletons } from '../../ui/states.tsx'

/** The frame of what comes next. */
export function NextStepsCard({ footer, children }: { footer?: ReactNode; children: ReactNode }) {
  const t = useT()
  return (
    <section
      aria-labelledby="next-steps"
      className="grid grid-cols-1 grid-rows-[auto_1fr_auto] overflow-hidden rounded-card border border-line bg-surface"
    >
      <h2 id="next-steps" className="border-b border-line px-4 py-3 text-lg">
        {t('What’s next')}
      </h2>
      {children}
      {footer && (
        <p className="flex flex-wrap items-center gap-x-5 border-t border-line px-4 py-1 text-sm font-semibold">
          {footer}
        </p>
      )}
    </section>
  )
}

/** Placeholders of its rows. */
export const StepSkeletons = () => <Skeletons count={3} layout="grid auto-rows-fr gap-3 p-4" className="min-h-14" />
