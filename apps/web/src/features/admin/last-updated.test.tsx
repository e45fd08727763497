import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { useLastUpdated } from './last-updated.ts'

const client = new QueryClient()

function Clock() {
  return <p>{useLastUpdated(() => true) === null ? 'never' : 'updated'}</p>
}
const Asks = () => useQuery({ queryKey: ['second'], queryFn: () => 'second answer' }).data
function Page() {
  const [isAsking, setAsking] = useState(false)
  const answerAndAsk = () => {
    client.setQueryData(['first'], 'first answer')
    setAsking(true)
  }
  return (
    <>
      <Clock />
      <button type="button" onClick={answerAndAsk}>
        Ask
      </button>
      {isAsking && <Asks />}
    </>
  )
}

it('is told of answers, and of none while another query is made in the midst of a drawing', async () => {
  const complaints = vi.spyOn(console, 'error')
  render(
    <QueryClientProvider client={client}>
      <Page />
    </QueryClientProvider>,
  )
  expect(screen.getByText('never')).toBeTruthy()
  fireEvent.click(screen.getByText('Ask'))
  await screen.findByText('updated')
  await screen.findByText('second answer')
  expect(complaints).not.toHaveBeenCalled()
})
