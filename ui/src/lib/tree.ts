/** Files as a tree of folders, in their own order. */

export interface TreeNode<T> {
  /** Last part of the path; several parts for folders that hold only one folder. */
  name: string;
  path: string;
  file: T | null;
  children: TreeNode<T>[];
}

export function buildTree<T extends { path: string }>(files: readonly T[]): TreeNode<T>[] {
  const root: TreeNode<T> = { name: "", path: "", file: null, children: [] };
  const folders = new Map([["", root]]);
  for (const file of files) {
    const cut = file.path.lastIndexOf("/");
    const parent = folderAt(folders, cut < 0 ? "" : file.path.slice(0, cut), root);
    parent.children.push({ name: file.path.slice(cut + 1), path: file.path, file, children: [] });
  }
  return root.children.map(joinSingle);
}

function folderAt<T>(folders: Map<string, TreeNode<T>>, path: string, root: TreeNode<T>): TreeNode<T> {
  const known = folders.get(path);
  if (known !== undefined) return known;
  const cut = path.lastIndexOf("/");
  const parent = cut < 0 ? root : folderAt(folders, path.slice(0, cut), root);
  const made: TreeNode<T> = { name: path.slice(cut + 1), path, file: null, children: [] };
  folders.set(path, made);
  parent.children.push(made);
  return made;
}

function joinSingle<T>(node: TreeNode<T>): TreeNode<T> {
  const [only, ...others] = node.children;
  if (node.file === null && only !== undefined && others.length === 0 && only.file === null) {
    return joinSingle({ ...only, name: `${node.name}/${only.name}` });
  }
  return { ...node, children: node.children.map(joinSingle) };
}
