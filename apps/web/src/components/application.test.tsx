import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { aPicturedWork, PICTURE_TEXT } from '../../test/a-pictured-work.ts'
import { renderWithProviders } from '../../test/render-with-providers.tsx'
import { Application } from './application.tsx'

it('shows the picture of an application, cropped to the box of its card', () => {
  renderWithProviders(<Application application={aPicturedWork()} />)
  expect(screen.getByRole('img', { name: PICTURE_TEXT }).className).toContain('object-cover')
})
