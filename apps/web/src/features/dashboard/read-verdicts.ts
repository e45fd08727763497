import type { Submission } from '@community/contract'
import { useState } from 'react'
import { browserStore } from '../../lib/storage.ts'

const KEY = 'readVerdicts'
/** More than can be recent at a time. */
const MAX_STORED = 200

/** The id of a verdict: a new verdict on the same submission counts as unread. */
export const verdictId = ({ id, evaluatedAt }: Pick<Submission, 'id' | 'evaluatedAt'>): string => `${id} ${evaluatedAt}`

function loadReadIds(): string[] {
  const list = browserStore.readJson(KEY)
  return Array.isArray(list) ? list.filter((id) => typeof id === 'string') : []
}

/** The ids of the verdicts read on this device, and a function that marks one as read. */
export function useReadVerdicts(): [read: ReadonlySet<string>, markRead: (verdict: string) => void] {
  const [read, setRead] = useState(loadReadIds)
  const markRead = (verdict: string) => {
    const next = [...loadReadIds().filter((id) => id !== verdict), verdict].slice(-MAX_STORED)
    setRead(next)
    browserStore.writeJson(KEY, next)
  }
  return [new Set(read), markRead]
}
