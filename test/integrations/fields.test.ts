import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Field } from '../../src/integrations/field.js'
import { checkSettings, maskSettings, originOf } from '../../src/integrations/fields.js'
import type { Integration } from '../../src/integrations/integration.js'
import { MASK } from '../../src/lib/settings.js'

const kind = (...fields: Field[]): Integration => ({
  kind: 'sample',
  label: 'Sample',
  category: 'anything',
  help: '',
  logo: '',
  fields,
  describe: () => '',
  send: async () => {},
})

const stored = (field: Omit<Field, 'name' | 'label'>, given?: string) =>
  checkSettings(kind({ name: 'f', label: 'F', ...field }), given === undefined ? {} : { f: given }).f

const refused = (field: Omit<Field, 'name' | 'label'>, given: string, message: string) =>
  assert.throws(() => stored(field, given), { name: 'Refusal', code: 'invalid', field: 'f', message })

test('every declared field is stored, trimmed, or with its default', () => {
  const fields: Field[] = [
    { name: 'a', label: 'A', type: 'text' },
    { name: 'b', label: 'B', type: 'choice', choices: ['GET', 'POST'], default: 'GET' },
    { name: 'c', label: 'C', type: 'flag', default: 'true' },
  ]
  assert.deepEqual(checkSettings(kind(...fields), { a: '  x ' }), { a: 'x', b: 'GET', c: 'true' })
  assert.deepEqual(checkSettings(kind(...fields), { c: '' }), { a: '', b: 'GET', c: 'false' })
})

test('an unknown field is refused with the names of the known ones', () => {
  const fields: Field[] = [{ name: 'a', label: 'A', type: 'text' }]
  assert.throws(() => checkSettings(kind(...fields), { b: 'x' }), {
    message: 'There is no field "b"; there are: a.',
    field: 'b',
  })
})

test('a URL may lack a scheme or a dot; other schemes and typing errors are refused', () => {
  const url = { type: 'url' } as const
  assert.equal(stored(url, 'example.org/x'), 'https://example.org/x')
  const kept = [
    'http://localhost:1234',
    'http://foo',
    'http://user:pass@foo.',
    'https://example.org/$NAME?a=$STATUS',
    'HTTP://[::1]:80/',
  ]
  for (const text of kept) assert.equal(stored(url, text), text)
  const wrong = [
    'ftp://example.org',
    'http://',
    'http:///x',
    'https://exa mple.org',
    'http://a b',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http://[::1',
    'http://a:99999/',
    'http:\\\\foo',
  ]
  for (const text of wrong) refused(url, text, 'Enter a valid URL.')
})

test('addresses, choices, flags, numbers and channels are validated', () => {
  assert.equal(stored({ type: 'email' }, 'alice@example.org'), 'alice@example.org')
  assert.equal(stored({ type: 'email' }, 'Zoë@Bücher.example'), 'Zoë@xn--bcher-kva.example')
  for (const text of ['alice', 'a@b@c', 'a@b, c@d', 'a b@c', '<a@b>']) {
    refused({ type: 'email' }, text, 'Enter a valid email address.')
  }
  refused({ type: 'choice', choices: ['GET', 'POST'] }, 'get', 'Choose one of: GET, POST.')
  assert.equal(stored({ type: 'flag' }, 'on'), 'true')
  assert.equal(stored({ type: 'flag' }, 'false'), 'false')
  refused({ type: 'flag' }, 'maybe', 'Enter true or false.')
  assert.equal(stored({ type: 'number' }, '-03'), '-3')
  refused({ type: 'number' }, '1.5', 'Enter a whole number.')
  const uuid = '0f6b2b1e-6d0c-4d6a-9d0a-4f2f7c3b1a55'
  assert.equal(stored({ type: 'channels' }, `${uuid.toUpperCase()}, ${uuid}`), uuid)
  refused({ type: 'channels' }, 'x', 'Enter the identifiers of channels, separated by commas.')
})

test('missing, overlong and malformed values are refused', () => {
  refused({ type: 'text', required: true }, '  ', 'This field is required.')
  refused({ type: 'text', maxLength: 3 }, 'abcd', 'Value too long')
  const control = 'Control characters and line breaks are not allowed here.'
  refused({ type: 'text' }, 'a\nb', control)
  refused({ type: 'multiline' }, 'a\u0000b', control)
  assert.equal(stored({ type: 'multiline' }, 'a\r\n\tb'), 'a\n\tb')
})

test('secrets are masked, and secret URLs show only their origin', () => {
  const sample = kind(
    { name: 'token', label: 'Token', type: 'text', sensitive: true },
    { name: 'unset', label: 'Unset', type: 'text', sensitive: true },
    { name: 'url', label: 'URL', type: 'url', sensitive: true },
    { name: 'topic', label: 'Topic', type: 'text' },
  )
  const settings = { token: 's3cret', unset: '', url: 'https://u:p@hooks.example/T0/B0?k=1', topic: 'jobs' }
  const shown = maskSettings(sample, settings)
  assert.deepEqual(shown, { token: MASK, unset: '', url: `https://hooks.example/${MASK}`, topic: 'jobs' })
  assert.equal(originOf(''), '')
})

test('the password in an address is hidden', () => {
  const sample = kind({ name: 'server', label: 'Server', type: 'url' })
  const shown = (server: string) => maskSettings(sample, { server }).server
  assert.equal(shown('http://me:pa@ss@gotify.home/sub/'), `http://me:${MASK}@gotify.home/sub/`)
  assert.equal(shown('http://t0ken@gotify.home/'), `http://${MASK}@gotify.home/`)
  assert.equal(shown('http://gotify.home/a@b'), 'http://gotify.home/a@b')
})
