/** The address of a tail, as the setting takes it and as it is read. */
import { expect, it } from 'vitest'
import { memorySettings } from '../../../src/settings/memory.ts'
import { tailAddressOf } from '../../../src/tail/tail-address.ts'

const read = (uri: string) => {
  expect(memorySettings.tail.parse(uri)).toBe(uri)
  return tailAddressOf(uri)
}

it('has one server or some of a cluster, with the port of Redis where none is named', () => {
  expect(read('redis://r1')).toEqual({ hosts: [{ host: 'r1', port: 6379 }], options: {} })
  expect(read('redis://r1:7000,[::1]:7001,10.0.0.3').hosts).toEqual([
    { host: 'r1', port: 7000 },
    { host: '::1', port: 7001 },
    { host: '10.0.0.3', port: 6379 },
  ])
})

it('has a name, a password with any characters, a database and TLS', () => {
  expect(read('rediss://tail:a%40b%3Ac@r1:7000/3')).toEqual({
    hosts: [{ host: 'r1', port: 7000 }],
    options: { username: 'tail', password: 'a@b:c', db: 3, tls: {} },
  })
  expect(read('redis://:secret@r1').options).toEqual({ password: 'secret' })
  expect(read('redis://:a:b@r1').options).toEqual({ password: 'a:b' })
})

it('is refused where it is none', () => {
  const wrong = [
    'http://r1',
    'redis://',
    'redis://r1,',
    'redis://r1:port',
    'redis://r1/x',
    'redis://r1:70000',
    'redis://:50%@r1',
  ]
  for (const uri of wrong) expect(memorySettings.tail.parse(uri), uri).toBeUndefined()
})
