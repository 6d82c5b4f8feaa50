/**
 * The number of random histories: `short` in `npm test`, `long` in `npm run test:laws`, or what HISTORIES says.
 */
export function numRuns(short: number, long: number): number {
  const { HISTORIES, PUNCTUAL_TEST_LONG } = process.env
  if (HISTORIES) return Number(HISTORIES)
  return PUNCTUAL_TEST_LONG ? long : short
}
