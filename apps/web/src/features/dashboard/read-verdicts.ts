import type { Submission } from '@community/contract'
import { useState } from 'react'
import { browserStore } from '../../lib/storage.ts'

const KEY = 'readVerdicts'
/** More than can be news at a time. */
const MAX_STORED = 200

/** A verdict: the same submission judged anew is news again. */
export const verdictId = ({ id, evaluatedAt }: Pick<Submission, 'id' | 'evaluatedAt'>): string => `${id} ${evaluatedAt}`

function loadReadIds(): string[] {
  const list = browserStore.readJson(KEY)
  return Array.isArray(list) ? list.filter((id) => typeof id === 'string') : []
}

/** The verdicts that were read on this device, and marking one as read. */
export function useReadVerdicts(): [read: ReadonlySet<string>, markRead: (verdict: string) => void] {
  const [read, setRead] = useState(loadReadIds)
  const markRead = (verdict: string) => {
    const next = [...loadReadIds().filter((id) => id !== verdict), verdict].slice(-MAX_STORED)
    setRead(next)
    browserStore.writeJson(KEY, next)
  }
  return [new Set(read), markRead]
}
