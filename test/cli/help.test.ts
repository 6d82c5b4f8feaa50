import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildProgram } from '../../src/cli/program.js'
import { packageVersion } from '../../src/lib/package-root.js'
import { freshInstallation, punctual } from '../_support/cli.js'

test('--help lists the commands and --version prints the version', async t => {
  const env = await freshInstallation(t)
  const help = await punctual(env, ['--help'])
  assert.equal(help.code, 0)
  assert.equal(help.stderr, '')
  for (const command of [
    'serve',
    'user',
    'project',
    'key',
    'channel',
    'migrate',
    'prune',
    'backup',
    'config',
  ]) {
    assert.match(help.stdout, new RegExp(`^ {2}${command} `, 'm'))
  }
  assert.equal((await punctual(env, ['--version'])).stdout, `${packageVersion}\n`)
})

test('every command has help that says what it does', () => {
  const commands = buildProgram().commands.flatMap(command =>
    command.commands.length > 0 ? [...command.commands] : [command],
  )
  assert.ok(commands.length >= 15)
  for (const command of commands) {
    assert.notEqual(command.description(), '', command.name())
    assert.match(command.helpInformation(), /--help/)
  }
})

test('invalid arguments print what is wrong on standard error and exit with code 2', async t => {
  const env = await freshInstallation(t)
  for (const [args, line] of [
    [['srve'], "punctual: unknown command 'srve'\n(Did you mean serve?)\n"],
    [['prune', '--all'], "punctual: unknown option '--all'\n"],
    [['backup'], "punctual: missing required argument 'file'\n"],
    [['key', 'list'], "punctual: required option '--project <project>' not specified\n"],
  ] as const) {
    const { code, stdout, stderr } = await punctual(env, args)
    assert.deepEqual({ code, stdout, stderr }, { code: 2, stdout: '', stderr: line })
  }
})
