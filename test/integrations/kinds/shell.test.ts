import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Alert } from '../../../src/core/alerts/alert.js'
import { checkSettings } from '../../../src/integrations/fields.js'
import { shell } from '../../../src/integrations/kinds/shell/shell.js'
import { aDestination, anAlert, testWays, UUID } from '../../_support/alert.js'
import { HOSTILE } from '../../_support/worlds/integration-cases.js'

const operator = { SHELL_ENABLED: 'true' }

const run = async (settings: Record<string, string>, alert = anAlert()) =>
  void (await shell.send(alert, aDestination(shell, settings, { operator }), testWays()))

/** What a command wrote into the file `$OUT`, which stands for a path here. */
async function written(t: TestContext, command: string, alert: Alert): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'punctual-shell-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'out')
  await run({ [`cmd_${alert.status}`]: command.replaceAll('$OUT', path) }, alert)
  return readFileSync(path, 'utf8')
}

test('shell: each direction runs its own command', async t => {
  assert.equal(await written(t, 'echo fell > $OUT', anAlert()), 'fell\n')
  assert.equal(await written(t, 'echo rose > $OUT', anAlert({ status: 'up' })), 'rose\n')
})

test('shell: placeholders are replaced, and everything else is left to the shell', async t => {
  const command = 'X=set; printf "%s|" $CODE $STATUS $NOW $NAME $TAGS $TAG1 $TAG2 "$TAG3" "$X" > $OUT'
  const alert = anAlert({ check: { name: 'Nightly Backup' } })
  const wanted = [
    UUID,
    'down',
    '2026-03-05T11:50:00+00:00',
    'Nightly Backup',
    'prod db',
    'prod',
    'db',
    '',
    'set',
  ]
  assert.deepEqual((await written(t, command, alert)).split('|').slice(0, -1), wanted)
})

test('shell: every placeholder that the form lists is replaced', async t => {
  const names = shell.placeholders!.list.map(({ name }) => name)
  const values = await written(t, `printf '%s|' ${names.join(' ')} > $OUT`, anAlert())
  assert.deepEqual(
    values.split('|').filter(value => value === '' || value.startsWith('$')),
    [''],
  )
  assert.equal(values.split('|').length, names.length + 1)
})

test('shell: hostile names are always single words', async t => {
  for (const name of [`a'b"c`, '$(exit 3)', '`exit 3`', `'; exit 3; '`, 'a\nexit 3', '$TAG1', '', HOSTILE]) {
    const alert = anAlert({ check: { name } })
    assert.equal(await written(t, 'printf "%s" $NAME > $OUT', alert), name.replaceAll('\0', ''))
  }
})

test('shell: within quotes, a name gets the quotes that another shell needs', async t => {
  const alert = anAlert({ check: { name: "it's a; b", tags: 'plain' } })
  assert.equal(await written(t, 'printf "%s" "[$TAG1] [$NAME]" > $OUT', alert), `[plain] ['it'"'"'s a; b']`)
  assert.equal(await written(t, `sh -c "printf %s $NAME" > $OUT`, alert), "it's a; b")
  assert.equal(await written(t, `sh -c 'printf %s $NAME' > $OUT`, alert), "it's a; b")
})

test('shell: a command gets no other environment variables', async t => {
  const names = (await written(t, 'env > $OUT', anAlert())).split('\n').map(line => line.split('=')[0])
  // The shell itself adds PWD, OLDPWD, SHLVL and _.
  const known = ['PATH', 'PWD', 'OLDPWD', 'SHLVL', '_', '']
  const given = ['NAME', 'TAGS', 'TAG1', 'TAG2'].flatMap(name => [
    `PUNCTUAL_${name}`,
    `PUNCTUAL_TYPED_${name}`,
  ])
  assert.deepEqual(names.filter(name => !known.includes(name!)).sort(), [...given, 'PUNCTUAL_RUN'].sort())
})

test('shell: a failure has the exit code and the last line of output', async () => {
  const failure = async (cmd_down: string) =>
    run({ cmd_down }).then(
      () => assert.fail('was taken for a success'),
      error => [error.name, error.message, error.options.permanent],
    )
  const name = 'DeliveryError'
  assert.deepEqual(await failure('exit 3'), [name, 'Command returned exit code 3', undefined])
  const words = 'echo one; echo two >&2; exit 1'
  assert.deepEqual(await failure(words), [name, 'Command returned exit code 1: two', undefined])
  assert.deepEqual(await failure('kill -9 $$'), [name, 'Command was ended by SIGKILL', undefined])
})

test('shell: commands run only where the operator allows them', async () => {
  const to = (given: Record<string, string>) =>
    aDestination(shell, { cmd_down: 'exit 0' }, { operator: given })
  for (const given of [{}, { SHELL_ENABLED: 'false' }]) {
    await assert.rejects(async () => shell.send(anAlert(), to(given), testWays()), {
      name: 'DeliveryError',
      message: 'Shell commands are not enabled',
    })
  }
  assert.equal(shell.operatorSettings?.[0]?.default, 'False')
})

test('shell: a direction without a command sends nothing, and one command is required', () => {
  const settings = checkSettings(shell, { cmd_up: 'systemctl restart   backup\nlogger up' })
  assert.deepEqual([shell.wants?.(settings, 'down'), shell.wants?.(settings, 'up')], [false, true])
  assert.equal(shell.describe(settings), 'systemctl restart backup logger up (up)')
  assert.throws(() => checkSettings(shell, {}), { name: 'Refusal', field: 'cmd_down' })
  assert.throws(() => checkSettings(shell, { cmd_down: 'a'.repeat(1001) }), { message: 'Value too long' })
  const cmd_up = `sh -c "echo '$NAME'"`
  assert.throws(() => checkSettings(shell, { cmd_up }), { name: 'Refusal', field: 'cmd_up' })
})

test('shell: a stored command with a name in inner quotes is never run', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'punctual-shell-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const marker = join(folder, 'ran')
  const stored = aDestination(shell, { cmd_down: 'exit 0' }, { operator })
  const to = { ...stored, settings: { cmd_down: `touch ${marker}; sh -c "echo '$NAME'"`, cmd_up: '' } }
  await assert.rejects(async () => shell.send(anAlert(), to, testWays()), {
    name: 'DeliveryError',
    message: `Command was not run. A name or tag stands in more than one layer of quotes. Write: touch ${marker}; sh -c "echo $NAME"`,
    options: { permanent: true },
  })
  assert.equal(existsSync(marker), false)
})
