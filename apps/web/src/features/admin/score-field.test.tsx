import { fireEvent, render } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { ScoreField } from './score-field.tsx'

it('keeps the focus and the value of its slider while it is read only', () => {
  const onChange = vi.fn<(score: number | null) => void>()
  const scoreField = (readOnly: boolean) => (
    <ScoreField score={50} points={100} readOnly={readOnly} onChange={onChange} />
  )
  const { container, rerender } = render(scoreField(false))
  const slider = container.querySelector('input[type=range]') as HTMLInputElement
  fireEvent.change(slider, { target: { value: '60' } })
  expect(onChange).toHaveBeenLastCalledWith(60)
  slider.focus()
  rerender(scoreField(true))
  expect(slider.disabled).toBe(false)
  fireEvent.change(slider, { target: { value: '70' } })
  expect(onChange).toHaveBeenCalledOnce()
  expect(slider.value).toBe('50')
})
