import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCommonPassword } from '../../../src/core/people/common-password.js'

const common =
  'password Password1 PASSWORD123! passw0rd P@ssw0rd P@$$w0rd1 password2024 Summer2025! 12345678 123456789 1234567890 ' +
  '87654321 11111111 00000000 12341234 abcd1234 abc12345 qwertyui qwerty123 1q2w3e4r 1qaz2wsx qazwsxedc asdfghjkl ' +
  'zxcvbnm1 iloveyou iloveyou1 letmein1 welcome1 Welcome123 trustno1 sunshine princess1 football baseball superman ' +
  'changeme changeme123 administrator admin123 adminadmin admin1234 root1234 rootroot test1234 testtest guest123 ' +
  'monkey123 dragon12 master123 michael1 jennifer computer internet starwars whatever 1password 123password aaaaaaaa ' +
  'azertyui qwertzuiop default1 secret123 hunter22 Spring2026 punctual Punctual2026! healthchecks monitoring1'

for (const password of common.split(' ')) {
  test(`${password} is a common password`, () => {
    assert.equal(isCommonPassword(password), true)
  })
}

const fine = [
  'correct horse',
  'correct horse battery staple',
  'purple monkeys wash cars',
  'Tr0ub4dor&3',
  'wQ8#vvL2x',
  'teapot-lantern-39',
  'abcdefg the cat sat',
  '8f14e45fceea',
  'passwordless future',
  'my dog ate a password',
  'änderungsschneiderei',
]

for (const password of fine) {
  test(`${password} is not a common password`, () => {
    assert.equal(isCommonPassword(password), false)
  })
}
