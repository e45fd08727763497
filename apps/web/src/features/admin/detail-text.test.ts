import { beforeEach, describe, expect, it } from 'vitest'
import { activateLanguage, t } from '../../lib/i18n.ts'
import { detailLabel, detailText } from './detail-text.ts'

const shown = (details: Record<string, unknown>) =>
  Object.entries(details).map(([key, value]) => `${detailLabel(key, t)} = ${detailText(key, value, t)}`)

describe('a detail of the audit log', () => {
  beforeEach(() => activateLanguage('fr'))

  it('has a label and a value in the user’s language', () => {
    expect(
      shown({
        status: 'approved',
        before: 'member',
        after: true,
        isActive: false,
        category: 'Management',
        difficulty: 'Beginner',
        audience: 'chefs',
        language: 'ar',
        template: 'code-reset',
        points: 1240,
        size: 3 * 1_048_576,
        deadline: '2026-11-01T09:00:00.000Z',
      }),
    ).toEqual([
      'Statut = Approuvé',
      'Avant = Membre',
      'Après = Activée',
      'Statut = Inactif',
      'Catégorie = Gestion',
      'Difficulté = Débutant',
      'Destinataires = Tous les chefs',
      'Langue = العربية',
      'E-mail = Code de réinitialisation du mot de passe',
      'Points = 1\u202f240',
      'Taille = 3,00\u00a0Mo',
      'Date limite = 1 nov. 2026, 09:00',
    ])
  })

  it('is a list for several values', () => {
    expect(shown({ changed: { isActive: true, tags: ['web', 'ويب'] }, teams: [{ name: 'Atlas' }] })).toEqual([
      'Modifications = Statut\u202f: Actif, \u2068Mots-clés\u202f: web, \u2068ويب\u2069\u2069',
      'Équipes = Nom\u202f: Atlas',
    ])
  })

  it('is shown as it is if it has no label', () => {
    expect(shown({ reason: 'approved', somethingNew: null, procedure: 'admin.users' })).toEqual([
      'Motif = approved',
      'somethingNew = null',
      'procedure = admin.users',
    ])
  })
})
