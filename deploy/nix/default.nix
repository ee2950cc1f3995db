# Nix expression: the published package, run by the Node.js of nixpkgs. `nix-build deploy/nix`. ../README.md explains the placeholders.
{
  pkgs ? import <nixpkgs> { },
  releaseVersion ? "RELEASE_VERSION",
  releaseUrl ? "RELEASE_URL",
  releaseHash ? "RELEASE_SHA256",
}:

pkgs.stdenvNoCC.mkDerivation {
  pname = "archivetool";
  version = releaseVersion;

  src = pkgs.fetchurl {
    url = releaseUrl;
    sha256 = releaseHash;
  };
  sourceRoot = "package";

  nativeBuildInputs = [ pkgs.makeWrapper ];
  dontBuild = true;

  # One package without dependencies: its files are all there is to install.
  installPhase = ''
    runHook preInstall
    mkdir -p $out/lib/archivetool $out/bin
    cp -r package.json dist docs LICENSE README.md $out/lib/archivetool/
    makeWrapper ${pkgs.nodejs_24}/bin/node $out/bin/archivetool \
      --add-flags $out/lib/archivetool/dist/cli/main.js
    runHook postInstall
  '';

  meta = {
    description = "Open, search and understand old email: reads PST, OST, MBOX, Maildir and EML";
    license = pkgs.lib.licenses.mit;
    mainProgram = "archivetool";
    platforms = pkgs.nodejs_24.meta.platforms;
  };
}
