import type { Command } from 'commander'
import { jsonOption } from '../options.js'
import { print, printJson } from '../print.js'
import type { DoctorFinding } from './finding.js'

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .addOption(jsonOption())
    .description('Examine settings, database, mail, clock, addresses and channels, and say what to do')
    .action(examine)
}

const MARKS: Record<DoctorFinding['level'], string> = { ok: 'ok', warn: 'warn', fail: 'FAIL' }

async function examine({ json }: { json?: boolean }): Promise<void> {
  const { examineInstallation } = await import('./examine-installation.js')
  const findings: DoctorFinding[] = []
  for await (const found of examineInstallation()) {
    findings.push(found)
    if (json) continue
    print(`${MARKS[found.level].padEnd(4)}  ${found.about}: ${found.text}`)
    if (found.advice !== '') print(`      ${found.advice}`)
  }
  if (json) printJson(findings)
  if (findings.some(({ level }) => level === 'fail')) process.exitCode = 1
}
