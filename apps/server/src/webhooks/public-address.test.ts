import { expect, it } from 'vitest'
import { addressInUrl, isPublicAddress, lookupPublic, PrivateAddressError } from './public-address.ts'

it.each([
  '127.0.0.1',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '192.0.0.8',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  'fe80::1',
  'fc00::1',
  'fec0::1',
  'ff02::1',
  'localhost',
  '',
])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false))

it.each(['93.184.215.14', '8.8.8.8', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::ffff:8.8.8.8'])(
  '%s is public',
  (address) => expect(isPublicAddress(address)).toBe(true),
)

it.each([
  ['https://127.0.0.1/x', '127.0.0.1'],
  // URLs know other spellings of addresses.
  ['https://2130706433/', '127.0.0.1'],
  ['https://0x7f.1/', '127.0.0.1'],
  ['https://[::1]:8443/', '::1'],
  ['https://hooks.example/', undefined],
])('the address in %s is %s', (url, address) => expect(addressInUrl(new URL(url))).toBe(address))

it.each([true, false])('the lookup of a host with a private address fails (all: %s)', async (all) => {
  const error = await new Promise((resolve) => lookupPublic('localhost', { all }, resolve))
  expect(error).toBeInstanceOf(PrivateAddressError)
})
