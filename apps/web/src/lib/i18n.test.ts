import { afterEach, describe, expect, it } from 'vitest'
import { activateLanguage, listText, serverText, t } from './i18n.ts'

const QUESTION = '{name} will no longer be a member of {team}. {heir} will be the new chef.'
const isolated = (name: string) => `\u2068${name}\u2069`

afterEach(() => activateLanguage('en'))

describe('names in a sentence', () => {
  it.each(['en', 'fr', 'ar'] as const)(
    'keep their places in %s, whatever letters they are written in',
    async (language) => {
      await activateLanguage(language)
      const said = t(QUESTION, { name: 'سارة', team: 'أسود الأطلس', heir: 'لينا' })
      for (const name of ['سارة', 'أسود الأطلس', 'لينا']) expect(said).toContain(isolated(name))
      expect(listText(['أسود الأطلس', 'القصبة'])).toBe(['أسود الأطلس', 'القصبة'].map(isolated).join(t(', ')))
    },
  )

  it('are isolated unless they have the direction of the language; in an Arabic list always', async () => {
    expect(t(QUESTION, { name: 'Sara', team: 'Atlas', heir: 'Lina' })).toBe(
      'Sara will no longer be a member of Atlas. Lina will be the new chef.',
    )
    expect(listText(['Atlas', 'Rif'])).toBe('Atlas, Rif')
    await activateLanguage('ar')
    expect(listText(['Atlas', 'Rif'])).toBe([isolated('Atlas'), isolated('Rif')].join(t(', ')))
  })
})

it.each([
  ['{team, select, other {Inactive}}', 'Inactive', 'Inactive'],
  ['{team, select, other {Active}}', 'Active', 'Active'],
  ['{challenges, select, other {Active}}', 'Active', 'Ouverts'],
  ['{device, select, other {Sign Out}}', 'Sign Out', 'Déconnecter'],
  ['{notifications, select, other {All}}', 'All', 'Toutes'],
  ['{submissions, select, other {Approved}}', 'Approved', 'Approuvés'],
])('%s is "%s" in English, and what it is of in French', async (id, english, french) => {
  expect(t(id)).toBe(english)
  await activateLanguage('fr')
  expect(t(id)).toBe(french)
})

it('uses the singular for one in French', async () => {
  await activateLanguage('fr')
  expect(t('Teams cleaned up: {deleted} deleted', { deleted: 1 })).toBe('Équipes nettoyées\u202f: 1 supprimée')
  const scores = 'Scores in {title}: {total, plural, other {# approved}}, mostly {range}'
  expect(t(scores, { title: 'Rif', total: 1, range: '81–90' })).toContain('1 travail approuvé,')
})

describe('a message of the server', () => {
  const atMost = { message: 'Must be at most 5', template: 'Must be at most {n}', params: { n: 5 } }

  it('is translated by its template and params, or as a whole sentence', async () => {
    await activateLanguage('fr')
    expect(serverText(atMost)).toBe('Doit valoir au plus 5')
    expect(serverText({ message: 'Must be text' })).toBe('Doit être un texte')
  })

  it('isolates Arabic values in English', () => {
    const message = { message: 'Edit سارة', template: 'Edit {team}', params: { team: 'سارة' } }
    expect(serverText(message)).toBe(`Edit ${isolated('سارة')}`)
  })

  it('is unchanged if no catalog has it', async () => {
    const unknown = { message: 'Said 5 times', template: 'Said {n} times', params: { n: 5 } }
    expect([serverText(atMost), serverText(unknown)]).toEqual(['Must be at most 5', 'Said 5 times'])
    await activateLanguage('fr')
    expect(serverText(unknown)).toBe(isolated('Said 5 times'))
  })
})
