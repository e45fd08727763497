import { type AppContract, contract, type Input, type Route, routesOf } from '@community/contract'
import { exampleInputOf } from './example-of.ts'

export type ProcedureName = {
  [D in keyof AppContract]: `${D}.${keyof AppContract[D] & string}`
}[keyof AppContract]

type RouteNamed<N extends string> = N extends `${infer D}.${infer K}`
  ? D extends keyof AppContract
    ? K extends keyof AppContract[D]
      ? Extract<AppContract[D][K], Route>
      : never
    : never
  : never

/** The input of a procedure. */
export type InputOf<N extends ProcedureName> = Input<RouteNamed<N>>

/** The password of every test user. It also meets the rules for administrators. */
export const PASSWORD = 'Majorelle-2026'

const DAY_MS = 86_400_000

const randomHex = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, 12)
/** A unique name. */
export const uniqueName = (start = 'Team'): string => `${start} ${randomHex()}`
/** A unique email address. */
export const uniqueEmail = (): string => `${randomHex()}@example.ma`
/** Six digits that differ from the code, and for each offset. */
export const wrongCode = (code: string, offset = 0): string =>
  String((Number(code) + 1 + offset) % 1_000_000).padStart(6, '0')

/** Values for fields with rules that a JSON schema cannot express, for every procedure that requires the field. */
const FIELD_VALUES: Record<string, () => unknown> = {
  password: () => PASSWORD,
  currentPassword: () => PASSWORD,
  newPassword: () => 'Marrakech-2027',
  confirmPassword: () => PASSWORD,
  refreshToken: () => 'x'.repeat(43),
  deadline: () => new Date(Date.now() + DAY_MS).toISOString(),
  requirements: () => ['Works offline'],
}

/** Additional values per procedure. */
const PROCEDURE_VALUES: { [N in ProcedureName]?: () => Partial<InputOf<N>> } = {
  'admin.createChallenge': () => ({ title: uniqueName('Challenge') }),
  'submissions.evaluate': () => ({ score: 80 }),
  'teams.create': () => ({ name: uniqueName() }),
  'users.createToken': () => ({ name: uniqueName('Token'), currentPassword: PASSWORD }),
}

const routes = new Map(routesOf(contract))

/** Like `validInput`, for a procedure name that is only known at run time. */
export function validInputOf(name: ProcedureName, fields: object = {}): Record<string, unknown> {
  const { input: schema, requiresAdminPassword } = routes.get(name) ?? {}
  if (!schema) throw new Error(`${name} takes no input`)
  const derived: Record<string, unknown> = exampleInputOf(schema)
  // Optional in the schema: only sessions need it.
  if (requiresAdminPassword) derived.password = PASSWORD
  for (const field of Object.keys(derived)) derived[field] = FIELD_VALUES[field]?.() ?? derived[field]
  return { ...derived, ...PROCEDURE_VALUES[name]?.(), ...fields }
}

/**
 * A valid input of a procedure, derived from its schema: the required fields, and the given ones. Throws if the procedure does not exist
 * or takes no input.
 */
export const validInput = <N extends ProcedureName>(name: N, fields: Partial<InputOf<N>> = {}): InputOf<N> =>
  validInputOf(name, fields) as InputOf<N>
