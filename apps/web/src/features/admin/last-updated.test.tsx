import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { useLastUpdated } from './last-updated.ts'

const client = new QueryClient()

function UpdateStatus() {
  return <p>{useLastUpdated(() => true) === null ? 'never' : 'updated'}</p>
}
const SecondQuery = () => useQuery({ queryKey: ['second'], queryFn: () => 'second answer' }).data
function Page() {
  const [showsSecondQuery, setShowsSecondQuery] = useState(false)
  const resolveFirstAndMountSecond = () => {
    client.setQueryData(['first'], 'first answer')
    setShowsSecondQuery(true)
  }
  return (
    <>
      <UpdateStatus />
      <button type="button" onClick={resolveFirstAndMountSecond}>
        Ask
      </button>
      {showsSecondQuery && <SecondQuery />}
    </>
  )
}

it('updates on new data, also when another query is created during a render', async () => {
  const consoleError = vi.spyOn(console, 'error')
  render(
    <QueryClientProvider client={client}>
      <Page />
    </QueryClientProvider>,
  )
  expect(screen.getByText('never')).toBeTruthy()
  fireEvent.click(screen.getByText('Ask'))
  await screen.findByText('updated')
  await screen.findByText('second answer')
  expect(consoleError).not.toHaveBeenCalled()
})
