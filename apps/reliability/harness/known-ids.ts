/** The last so many of a kind are remembered. */
const REMEMBERED = 40

const KIND_OF: Record<string, string> = {
  team: 'teams',
  leaderboard: 'teams',
  challenge: 'challenges',
  submission: 'submissions',
  applications: 'submissions',
  user: 'users',
  newOwner: 'users',
  owner: 'users',
  submittedBy: 'users',
  actor: 'users',
  role: 'roles',
  rolesNeeded: 'roles',
  warning: 'warnings',
  entry: 'blacklist',
}

/** The kind of thing that a field of the product stands for: `teamId` and `team` for `teams`. */
export const kindOf = (field: string): string => KIND_OF[field.replace(/Id$/, '')] ?? field

/** Real ids, gathered from answers. */
export class KnownIds {
  readonly #ids = new Map<string, string[]>()

  add(kind: string, id: string): void {
    const ids = this.#ids.get(kind) ?? []
    if (!ids.includes(id)) this.#ids.set(kind, [...ids, id].slice(-REMEMBERED))
  }

  /** Something was deleted: asking for it again is of little use. */
  forget(id: string): void {
    for (const [kind, ids] of this.#ids)
      if (ids.includes(id))
        this.#ids.set(
          kind,
          ids.filter((one) => one !== id),
        )
  }

  /** Takes every id of a success. */
  gather(value: unknown, field = ''): void {
    if (Array.isArray(value)) for (const one of value) this.gather(one, field)
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value))
        if (typeof inner === 'string' && (key === 'id' || key.endsWith('Id')))
          this.add(kindOf(key === 'id' ? field : key), inner)
        else this.gather(inner, key)
  }

  /** One of a kind, by a number from 0 to 1; the newest ones are the likeliest. */
  pick(kind: string, turn: number): string | undefined {
    const ids = this.#ids.get(kind) ?? []
    return ids[ids.length - 1 - Math.floor(turn * turn * ids.length)]
  }
}
