import { expect, it } from 'vitest'
import { describeSendingError } from './sending-error.ts'

const mail = {
  recipient: 'sara@example.ma',
  values: { code: '042137' },
  smtpUrl: 'smtps://mailer:p%40ss%2Fword@mail.example',
}
const describeError = (message: string) => describeSendingError(new Error(message), mail)

it('contains neither the recipient nor the code', () => {
  expect(describeError('550 <sara@example.ma> unknown; subject was "042137 is your code"')).toBe(
    '550 <(recipient)> unknown; subject was "(value) is your code"',
  )
})

it.each([
  'Invalid login for mailer with p@ss/word',
  'cannot connect to smtps://mailer:p%40ss%2Fword@mail.example',
  `535 AUTH PLAIN ${Buffer.from('\0mailer\0p@ss/word').toString('base64')} refused`,
  `334 ${Buffer.from('mailer').toString('base64')} then ${Buffer.from('p@ss/word').toString('base64')}`,
])('contains no SMTP credentials: %s', (message) => {
  const line = describeError(message)
  expect(line).toContain('(secret)')
  expect(line).not.toMatch(/mailer|p@ss|p%40|bWFpbGVy|cEBzcy93b3Jk|AG1haWxlc/)
})

it('is one short line', () => {
  expect(describeError('421 try\r\n\tagain\u0000 later')).toBe('421 try again later')
  expect(describeError('x'.repeat(10_000))).toHaveLength(300)
  expect(describeError('')).toBe('unknown')
  expect(describeSendingError('boom', mail)).toBe('unknown')
  expect(describeSendingError(new Error('refused'), { ...mail, smtpUrl: undefined })).toBe('refused')
})
