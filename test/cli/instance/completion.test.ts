/** The scripts of `punctual completion`, tried by the shells themselves where they are installed. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { freshInstallation } from '../../_support/cli.js'
import { punctual } from '../../_support/warm-cli.js'

test('bash completes commands, their commands and their options', async t => {
  const { stdout } = await punctual(await freshInstallation(t), ['completion', 'bash'])
  const complete = (...words: string[]) => {
    const script = `${stdout}\nCOMP_WORDS=(punctual "$@"); COMP_CWORD=$#; _punctual; echo "\${COMPREPLY[*]}"`
    const {
      stdout: found,
      stderr,
      status,
    } = spawnSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' })
    assert.deepEqual([status, stderr], [0, ''])
    return found.trim()
  }
  assert.equal(complete('chec'), 'checks')
  assert.equal(complete('checks', 'pa'), 'pause')
  assert.equal(complete('checks', '--json', 'li'), 'list')
  assert.equal(complete('checks', 'list', '--st'), '--status')
  assert.equal(complete('checks', 'show', 'nightly-backup', '--js'), '--json')
  assert.equal(complete('nothing', 'x'), '')
})

test('zsh and fish have scripts, and another shell is refused', async t => {
  const env = await freshInstallation(t)
  assert.match((await punctual(env, ['completion', 'zsh'])).stdout, /^autoload -Uz bashcompinit/)
  const { stdout } = await punctual(env, ['completion', 'fish'])
  assert.match(stdout, /^complete -c punctual -n '__fish_use_subcommand' -f -a serve -d '/m)
  assert.match(
    stdout,
    /-n '__fish_seen_subcommand_from checks; and __fish_seen_subcommand_from list' -f -l status/,
  )
  assert.equal((await punctual(env, ['completion', 'csh'])).code, 2)
})
