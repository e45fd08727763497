// Each line below must not compile without its directive. Checked by `tsc`, never run.
import { type contract, route } from '@community/contract'
import type { Db, Tx } from '@community/db'
import { z } from 'zod'
import { queueMail } from '../src/jobs/mail.ts'
import { teamsUseCases } from '../src/teams/router.ts'
import type { UseCase } from '../src/context.ts'
import type { DomainUseCases } from '../src/trpc/init.ts'

// @ts-expect-error  the path parameter {id} is missing in the input
route('GET /x/{id}', { access: 'visitor', summary: '', input: z.object({ name: z.string() }) })
// @ts-expect-error  a path parameter is a string
route('GET /x/{id}', { access: 'visitor', summary: '', input: z.object({ id: z.number() }) })
// @ts-expect-error  no such method
route('PATCH /x', { access: 'visitor', summary: '' })
// @ts-expect-error  no such access
route('GET /x', { access: 'boss', summary: '' })
// @ts-expect-error  no such status
route('GET /x', { access: 'visitor', summary: '', errors: { teapot: { status: 418, code: 'TEAPOT', message: '' } } })

// @ts-expect-error  a use case is missing
export const missing: DomainUseCases<'teams'> = { list: teamsUseCases.list }
// @ts-expect-error  an extra use case
export const extra: DomainUseCases<'roles'> = { list: async () => ({ roles: [] }), surprise: () => null }
// @ts-expect-error  the output has the wrong type
export const wrong: UseCase<typeof contract.roles.list> = async () => ({ roles: 'all' })
// @ts-expect-error  visitors may call: the user may be null
export const nobody: UseCase<typeof contract.teams.get> = (ctx) => Promise.reject(new Error(ctx.user.id))
// @ts-expect-error  without `hashesPassword` the context has no password hasher
export const hashing: UseCase<typeof contract.auth.logout> = async ({ deps }) => deps.passwords.load() && {}

declare const db: Db
declare const tx: Tx
declare const secret: Parameters<typeof queueMail>[1]
const mail = { template: 'already-registered', to: 'a@example.ma', language: 'en', values: {} } as const
export const inside = () => queueMail(tx, secret, mail)
// @ts-expect-error  a write outside a transaction
export const outside = () => queueMail(db, secret, mail)
