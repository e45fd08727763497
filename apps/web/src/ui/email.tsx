import { clsx } from 'clsx'

/** An email address, left to right. Wraps after the @, and within a word only if that alone is too long. */
export function Email({ address, className }: { address: string; className?: string }) {
  const end = address.lastIndexOf('@') + 1
  return (
    <bdi dir="ltr" className={clsx('wrap-anywhere', className)}>
      {address.slice(0, end)}
      <wbr />
      {address.slice(end)}
    </bdi>
  )
}
