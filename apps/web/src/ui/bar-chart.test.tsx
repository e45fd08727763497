import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderWithProviders } from '../../test/render-with-providers.tsx'
import { BarChart } from './bar-chart.tsx'

/** The vertical extent of each bar. */
const extents = () =>
  [...screen.getByRole('img').querySelectorAll('rect.fill-primary')].map((bar) => [
    Number(bar.getAttribute('y')),
    Number(bar.getAttribute('height')),
  ])

it('draws bars from the bottom', () => {
  renderWithProviders(<BarChart summary="Points" bars={[30, 0, 60].map((value) => ({ label: 'Oct', value }))} />)
  expect(extents()).toEqual([
    [30, 30],
    [60, 0],
    [0, 60],
  ])
})

it('draws negative values below the line of zero', () => {
  renderWithProviders(<BarChart summary="Points" bars={[40, -20].map((value) => ({ label: 'Oct', value }))} />)
  expect(extents()).toEqual([
    [0, 40],
    [40, 20],
  ])
  expect(screen.getByText('-20')).toBeDefined()
})
