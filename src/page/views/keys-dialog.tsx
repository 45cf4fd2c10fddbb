import { Dialog } from '../parts/dialog.tsx';

const keys = [
  ['/', 'Go to the query'],
  ['Enter', 'Search; open the log of the table'],
  ['Ctrl Space', 'Suggest what can stand at the cursor'],
  ['Tab', 'Take the suggestion'],
  ['Alt Enter', 'Apply the first fix'],
  ['Shift Enter', 'A new line in the query'],
  ['t', 'Go to the table'],
  ['f', 'Go to the fields at the left'],
  ['h', 'Go to the bars: arrow keys move, Space marks, Enter zooms'],
  ['↑ ↓ j k', 'Move in the table; Page Up, Page Down, Home, End as well'],
  ['1 … 9 0 -', 'Views, in the order of the tabs'],
  ['c', 'Cases and log files of the folder'],
  ['e', 'Export from a deployment'],
  ['l', 'Go to the open log; arrow keys choose one of its parts'],
  ['n', 'Notes on the open log'],
  ['← →', 'On the edge of a column: its width'],
  ['Esc', 'Cancel a search; close the log, the list or the dialog'],
  ['?', 'These keys'],
] as const;

/** The keys of the page. */
export function KeysDialog({ close }: { readonly close: () => void }) {
  return (
    <Dialog title="Keys" close={close}>
      <table class="list keys">
        <tbody>
          {keys.map(([key, about]) => (
            <tr key={key}>
              <th scope="row">
                <kbd>{key}</kbd>
              </th>
              <td>{about}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}
