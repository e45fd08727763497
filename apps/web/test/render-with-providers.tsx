import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { Overlays } from '../src/app/overlays.tsx'
import { queryClient } from '../src/lib/query-client.ts'

// happy-dom lacks `size` on selects; without it, a form takes the first option for an early choice of the user.
if (!('size' in HTMLSelectElement.prototype)) Object.assign(HTMLSelectElement.prototype, { size: 0 })

/** Renders a part of the app with the shell's providers: tRPC client, cache, toasts and questions. */
export function renderWithProviders(part: ReactNode) {
  queryClient.clear()
  const withProviders = (inner: ReactNode) => (
    <QueryClientProvider client={queryClient}>
      {inner}
      <Overlays />
    </QueryClientProvider>
  )
  const view = render(withProviders(part))
  return { ...view, rerender: (next: ReactNode) => view.rerender(withProviders(next)) }
}
