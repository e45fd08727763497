import { createStore } from './store.ts'

/** What a visitor entered about themselves, for the sign-up form. In memory only, so that nobody finds it after a reload. */
export const useSignUpDraft = createStore({ name: '', email: '' })
