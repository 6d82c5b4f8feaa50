import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicAddress } from '../../../src/lib/http/public-address.js'
import { isReachableAddress } from '../../../src/lib/http/reachable-address.js'

const refused = `
  0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 127.8.8.8 169.254.169.254 172.16.0.1
  172.31.255.255 192.0.0.1 192.0.2.1 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1
  239.255.255.255 240.0.0.1 255.255.255.255 168.63.129.16
  :: ::1 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:10.1.2.3 ::ffff:a9fe:a9fe ::ffff:0:127.0.0.1
  64:ff9b::127.0.0.1 64:ff9b::a00:1 64:ff9b:1::8.8.8.8 2002:7f00:1:: 2001::1 2001:db8::1 3fff::1 100::1
  fc00::1 fd12:3456::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1 5f00::1 4000::1`
  .trim()
  .split(/\s+/)

test('private addresses are recognised in every notation', () => {
  assert.deepEqual(refused.filter(isPublicAddress), [])
})

test('public addresses are recognised, and IPv4 inside IPv6 is checked as IPv4', () => {
  const allowed =
    '1.1.1.1 8.8.8.8 100.63.255.255 172.32.0.1 2606:4700::1111 2a00:1450::1 ::ffff:8.8.8.8 64:ff9b::8.8.8.8'
  assert.deepEqual(
    allowed.split(' ').filter(address => !isPublicAddress(address)),
    [],
  )
})

test('an invalid address is not public', () => {
  assert.deepEqual(['', 'localhost', '1.2.3', '1.2.3.4.5', '[::1]'].filter(isPublicAddress), [])
})

test('link-local addresses and cloud metadata stay blocked where private ones are allowed', () => {
  const closed = `
    169.254.169.254 169.254.170.2 169.254.0.1 168.63.129.16 100.100.100.200 192.0.0.192
    fe80::1 fe80::1%eth0 febf::1 fd00:ec2::254 fd00:ec2::23 fd20:ce::254
    ::ffff:169.254.169.254 ::ffff:a9fe:a9fe ::169.254.169.254 ::ffff:0:169.254.169.254 64:ff9b::a9fe:a9fe
    64:ff9b:1::169.254.169.254 2002:a9fe:a9fe:: ::ffff:100.100.100.200`
    .trim()
    .split(/\s+/)
  assert.deepEqual(closed.filter(isReachableAddress), [])
  assert.deepEqual(closed.filter(isPublicAddress), [])
})

test('this machine and local networks can be reached where private addresses are allowed', () => {
  const open =
    '127.0.0.1 10.0.0.1 172.16.0.1 192.168.1.1 100.64.0.1 8.8.8.8 ::1 fd12:3456::1 ::ffff:10.1.2.3 2606:4700::1'
  assert.deepEqual(
    open.split(' ').filter(address => !isReachableAddress(address)),
    [],
  )
  assert.deepEqual(['', 'localhost', '[::1]'].filter(isReachableAddress), [])
})
