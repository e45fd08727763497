import { aUser } from '@community/testing'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { fakeBackend } from '../../test/fake-backend.ts'
import { signIn } from '../../test/sign-in.ts'
import { renderWithProviders } from '../../test/render-with-providers.tsx'
import { activateLanguage } from '../lib/i18n.ts'
import { LanguageSelect } from './preferences.tsx'

const french = vi.hoisted(() => {
  let load = () => {}
  const file = new Promise<void>((resolve) => {
    load = resolve
  })
  return { file, load }
})
vi.mock('../locales/fr.po', async (original) => {
  await french.file
  return original()
})

it('the last chosen language wins if the file of the first one is slower', async () => {
  const { inputsOf } = fakeBackend({
    'users.updateProfile': ({ language = 'en' }) => ({ user: aUser({ language }) }),
  })
  signIn()
  renderWithProviders(<LanguageSelect />)
  await userEvent.selectOptions(screen.getByRole('combobox'), 'fr')
  await userEvent.selectOptions(screen.getByRole('combobox'), 'ar')
  await waitFor(() => expect(document.documentElement.lang).toBe('ar'))
  french.load()
  // Its file has loaded by now.
  await import('../locales/fr.po')
  await waitFor(() => expect(inputsOf('users.updateProfile')).toEqual([{ language: 'ar' }]))
  expect(document.documentElement.lang).toBe('ar')
  expect(localStorage.getItem('language')).toBe('ar')
  // The language works when it is chosen again.
  expect(await activateLanguage('fr')).toBe(true)
})
