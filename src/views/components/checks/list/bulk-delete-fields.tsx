/** The fields of a confirmed deletion of several checks: the selected checks, or that all matches are selected. */
export function BulkDeleteFields({ uuids, all }: { uuids: readonly string[]; all: boolean }) {
  return (
    <>
      <input type="hidden" name="action" value="delete" />
      {all ? <input type="hidden" name="all" value="1" /> : null}
      {all ? null : uuids.map(uuid => <input type="hidden" name="check" value={uuid} />)}
    </>
  )
}
