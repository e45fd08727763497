import { ArrowLeft } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from './button.tsx'

/** Returns to the step before. */
export function BackButton({ children, ...button }: ComponentProps<typeof Button>) {
  return (
    <Button variant="ghost" {...button}>
      <ArrowLeft aria-hidden="true" className="rtl:-scale-x-100" />
      {children}
    </Button>
  )
}
