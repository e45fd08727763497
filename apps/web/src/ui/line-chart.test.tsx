import { expect, it } from 'vitest'
import { renderWithProviders } from '../../test/render-with-providers.tsx'
import { LineChart } from './line-chart.tsx'

it('isolates the days of its axis, which runs from left to right in every language', () => {
  const from = Date.UTC(2026, 10, 2)
  const lines = [{ id: '1', name: 'Atlas Lions', steps: [{ at: from, value: 5 }] }]
  const { container } = renderWithProviders(
    <LineChart summary="Points" lines={lines} from={from} until={Date.UTC(2026, 10, 22)} />,
  )
  const days = [...container.querySelectorAll('[dir=ltr] bdi')].map(({ textContent }) => textContent)
  expect(days).toEqual(expect.arrayContaining(['2 Nov', '12 Nov', '22 Nov']))
})
