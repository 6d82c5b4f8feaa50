import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { shellCommand } from '../../../src/integrations/kinds/shell/shell-command.js'
import { unsafePlacement } from '../../../src/integrations/kinds/shell/shell-safety.js'
import { createRunCommand } from '../../../src/lib/run-command.js'
import { anAlert } from '../../_support/alert.js'

const folder = mkdtempSync(join(tmpdir(), 'punctual-shell-'))
after(() => rmSync(folder, { recursive: true }))
const marker = join(folder, 'ran')

/** What stands in for another machine reads its arguments as sshd does: joined, by a shell. */
writeFileSync(join(folder, 'ssh'), '#!/bin/sh\nshift\nexec /bin/sh -c "$*"\n')
writeFileSync(join(folder, 'notify'), '#!/bin/sh\nprintf %s "$*" >/dev/null\n')
for (const name of ['ssh', 'notify']) chmodSync(join(folder, name), 0o700)
const run = createRunCommand({ environment: { PATH: `${folder}:/usr/bin:/bin` } })

const SAFE = [
  'printf %s $NAME',
  'printf %s "$NAME"',
  "printf %s '$NAME'",
  'printf %s "a $TAG1 b $NAME c"',
  'notify --name=$NAME --tags="$TAGS"',
  'printf %s "is down: $NAME" | cat',
  'X=$NAME; printf %s "$X"',
  'printf %s $(echo $NAME)',
  'printf %s `echo $NAME`',
  `printf %s \${UNSET:-$NAME}`,
  'case $NAME in *) true;; esac',
  'printf %s \\$NAME',
  'sh notify $NAME',
  `sh -c 'printf %s $NAME'`,
  'sh -c "printf %s $NAME"',
  `sh -c 'printf %s "$PUNCTUAL_NAME"'`,
  'echo "printf %s $NAME" | sh',
  'eval "printf %s $NAME"',
  'ssh host "logger $NAME"',
  `ssh host 'logger $NAME $TAG1'`,
  'printf %s "$PUNCTUAL_NAME"',
  'notify $PUNCTUAL_NAME',
  'sh notify $NAME >/dev/null 2>&1 || true',
  'echo "printf %s $NAME" | sh /dev/stdin',
  `echo "x=$NAME" > ${folder}/env; . ${folder}/env`,
  'X="$NAME"; sh -c "echo $X"',
  `flock ${folder}/lock -c "printf %s $NAME"`,
  'rbash -c "printf %s $NAME"',
  'printf %s "x at $NOW: $NAME"',
  `awk 'BEGIN { print ENVIRON["PUNCTUAL_NAME"] }'`,
  `awk 'BEGIN { exit }' $NAME`,
  `echo $NAME | sed s/a/b/`,
  `python3 -c 'import os; os.environ["PUNCTUAL_NAME"]'`,
]

const REFUSED = [
  `sh -c "echo '$NAME'"`,
  `sh -c 'echo "$NAME"'`,
  'sh -c "sh -c \\"echo $NAME\\""',
  'sh -c "sh -c echo $NAME"',
  'sh -c "echo \\"$NAME\\""',
  'sh -c "echo \\\\$NAME"',
  'sh -c "echo `echo $NAME`"',
  "sh -c 'echo '$NAME",
  `sh -c 'echo "'"$NAME"'"'`,
  'sh -c echo\\ $NAME',
  'sh -c \\"$NAME\\"',
  'eval echo $NAME',
  'eval eval "echo $NAME"',
  'echo $NAME | sh',
  'sh <<END\necho $NAME\nEND',
  'ssh host logger $NAME',
  `ssh host "logger '$NAME'"`,
  `ssh host 'logger "$NAME"'`,
  `ssh host "sh -c 'logger $NAME'"`,
  'ssh host eval "echo $NAME"',
  'trap "echo $TAG1" EXIT; /bin/sh -c "$TAG12"',
  'printf %s $(( $NAME ))',
  'printf x | sed s/x/$NAME/e',
  `awk 'BEGIN { print "$NAME" }'`,
  `awk "BEGIN { print $NAME }"`,
  `perl -e "print '$NAME'"`,
  'printf %s "$NAME',
  "# don't\nprintf %s $NAME",
  'cat <<END\n$NAME\nEND',
  'cat <<E | sh\necho "$NAME"\nE',
  `cat <<E | sh\necho '$NAME'\nE`,
  'sh <<E\necho "$NAME"\nE',
  'sh <<<"echo $NAME"',
  '. /dev/stdin <<E\necho $NAME\nE',
  'echo echo $NAME | bash /dev/stdin',
  'echo echo $NAME | bash //dev/fd/0',
  'echo echo $NAME | bash /proc/self/fd/0',
  'echo echo $NAME | (cd /dev; sh stdin)',
  `echo echo $NAME > ${folder}/later; sh ${folder}/later`,
  `echo x=$NAME > ${folder}/env; . ${folder}/env`,
  'source $NAME',
  'sh -c "echo $PUNCTUAL_NAME"',
  `sh -c "echo \${PUNCTUAL_NAME}"`,
  'sh -c echo\\ $PUNCTUAL_NAME',
  'eval "echo $PUNCTUAL_NAME"',
  `sh -c 'eval "echo $PUNCTUAL_NAME"'`,
  'X=$PUNCTUAL_NAME; sh -c "echo $X"',
  `export X=$NAME; sh -c "echo $X"`,
  'ssh host logger $PUNCTUAL_NAME',
  'sh <<E\necho $PUNCTUAL_NAME\nE',
  'echo logger $NAME | at now',
  'echo logger $NAME | sudo -n batch',
  'flock /tmp/lock -c $NAME',
  'parallel logger $NAME ::: x',
  'parallel "logger $NAME" ::: x',
  'pdsh -w host logger $NAME',
  'dbclient host logger $NAME',
  'tmux send-keys -t x "$NAME" Enter',
  'screen -S x -X stuff $NAME',
  'echo "$NAME" | crontab -',
  'fish -c "logger $NAME"',
  'echo $NAME | dc',
  'python3 -c $NAME',
  'python3 -c "$PUNCTUAL_NAME"',
  'awk $NAME',
  'echo $NAME | python3',
  'make X=$NAME',
  '$NAME',
  '"$NAME"',
  'true; $PUNCTUAL_NAME',
  'sh -c "$NAME"',
  `sh -c '$PUNCTUAL_NAME'`,
]

const evil = `touch ${marker}`
const NAMES = [
  `$(${evil})`,
  `\`${evil}\``,
  `; ${evil};`,
  `'; ${evil}; '`,
  `"; ${evil}; "`,
  `'"; ${evil}; "'`,
  `\\'; ${evil}; \\'`,
  `\n${evil}\n`,
  `& ${evil} &`,
  `| ${evil} #`,
  `x'$(${evil})'"$(${evil})"`,
]

/** Whether a command ran what a check of this name and this first tag is called. */
async function isRun(template: string, name: string): Promise<boolean> {
  rmSync(marker, { force: true })
  // Not by way of `tags`, which blanks divide: a tag may come from elsewhere one day.
  const { command, variables } = shellCommand(template, anAlert({ check: { name, tags: 'a b' } }))
  const hostile = Object.entries(variables).map(([key, value]) => [
    key,
    key.includes('TAG')
      ? variables[key.startsWith('PUNCTUAL_TYPED') ? 'PUNCTUAL_TYPED_NAME' : 'PUNCTUAL_NAME']!
      : value,
  ])
  await run({ command, variables: Object.fromEntries(hostile) })
  return existsSync(marker)
}

for (const template of SAFE) {
  test(`no hostile name is run by ${JSON.stringify(template)}`, async () => {
    assert.equal(unsafePlacement(template), null)
    for (const name of NAMES) assert.equal(await isRun(template, name), false, name)
  })
}

test('commands in which another shell could run a name are refused', () => {
  assert.deepEqual(
    REFUSED.filter(template => unsafePlacement(template) === null),
    [],
  )
})

test('some of the refused commands do run hostile names, so the rule is needed', async () => {
  const [first, second] = REFUSED
  for (const template of [
    'cat <<E | sh\necho "$NAME"\nE',
    'sh <<E\necho "$NAME"\nE',
    '. /dev/stdin <<E\necho $NAME\nE',
    'sh -c "echo $PUNCTUAL_NAME"',
    'eval "echo $PUNCTUAL_NAME"',
    'echo echo $NAME | bash /dev/stdin',
  ]) {
    assert.ok(REFUSED.includes(template), template)
    assert.ok((await isRun(template, `$(${evil})`)) || (await isRun(template, `; ${evil};`)), template)
  }
  assert.equal(await isRun(first!, `; ${evil};`), true)
  assert.equal(await isRun(second!, `$(${evil})`), true)
  assert.equal(await isRun('ssh host logger $NAME', `; ${evil};`), true)
})

test('a refusal shows the correct command', () => {
  for (const [wrong, right] of [
    [`ssh host "logger '$NAME'"`, 'ssh host "logger $NAME"'],
    [`ssh host 'logger "$TAG1"'`, "ssh host 'logger $TAG1'"],
    ['sh -c "echo \\"$NAME\\""', 'sh -c "echo $NAME"'],
  ] as const) {
    assert.ok(unsafePlacement(wrong)?.endsWith(`Write: ${right}`), wrong)
  }
  assert.match(unsafePlacement('ssh host logger $NAME')!, /such as: ssh host "logger \$NAME"/)
})

test('a command without a name or tag may use any quotes', () => {
  for (const command of [
    `ssh host 'logger "$CODE is $STATUS"'`,
    `sh -c "echo '$NOW'"`,
    'eval echo hello',
    '',
  ]) {
    assert.equal(unsafePlacement(command), null, command)
  }
})

test('paths of scripts, and words that contain the name of a shell, do not count as shells', () => {
  for (const command of [
    '/opt/notify.sh $NAME',
    'bash /opt/x $NAME',
    'git push $TAG1',
    'python3 x.py --n=$NAME',
  ]) {
    assert.equal(unsafePlacement(command), null, command)
  }
})
