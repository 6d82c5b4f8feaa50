import type { Command } from 'commander'

/** Lists `punctual exec`. It is run by main.ts, which loads nothing else for it. */
export function addExec(program: Command): void {
  program
    .command('exec')
    .description('Run a command, and ping a check when it starts and ends (see `punctual exec --help`)')
    .usage('[options] -- COMMAND')
}
