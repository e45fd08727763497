import { useEffect, useState } from 'react'
import { useUser } from '../../lib/session.ts'

/** Closes what a visitor opened to sign in, once somebody has signed in, be it in another tab. */
export function useVisitorOnly(onClose: () => void): void {
  const isVisitor = useUser() === null
  const [wasVisitor] = useState(isVisitor)
  const isOver = wasVisitor && !isVisitor
  useEffect(() => {
    if (isOver) onClose()
  }, [isOver, onClose])
}
