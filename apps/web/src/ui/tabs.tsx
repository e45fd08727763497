import { clsx } from 'clsx'
import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { useT } from '../lib/i18n.ts'
import '../styles/tabs.css'
import { watchTabStrip } from './tab-strip.ts'

interface TabItem<V extends string> {
  value: V
  label: ReactNode
  /** A number after the label. */
  count?: ReactNode
  /** The tab's panel. */
  content?: ReactNode
}

interface TabsProps<V extends string> {
  value: V
  onChange: (value: V) => void
  items: readonly TabItem<V>[]
  /** The accessible name of the tab list. */
  label: string
  panelClassName?: string
}

/** Tabs. A tab list that is wider than the page scrolls to the selected tab. */
export function Tabs<V extends string>({ value, onChange, items, label, panelClassName }: TabsProps<V>) {
  const t = useT()
  return (
    // Radix only knows strings; all triggers have values of `items`.
    <Radix.Root value={value} onValueChange={(next) => onChange(next as V)} dir={t.dir}>
      <Radix.List
        ref={watchTabStrip}
        aria-label={label}
        className="tab-strip flex gap-1 overflow-x-auto border-b border-line [scrollbar-width:none]"
      >
        {items.map((item) => (
          <Radix.Trigger
            key={item.value}
            value={item.value}
            className={clsx(
              '-mb-px flex min-h-11 min-w-11 shrink-0 items-center justify-center gap-2 border-b-2 border-transparent px-3 font-medium text-ink-2',
              'transition-colors -outline-offset-3! hover:text-ink data-[state=active]:border-primary data-[state=active]:text-primary',
            )}
          >
            {item.label}
            {item.count !== undefined && (
              <span className="rounded-full bg-sunken px-2 text-sm font-semibold text-ink-2">{item.count}</span>
            )}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {items.map((item) => (
        <Radix.Content key={item.value} value={item.value} className={clsx('pt-5', panelClassName)}>
          {item.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
