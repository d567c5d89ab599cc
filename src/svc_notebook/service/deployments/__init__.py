"""What a service answers from: models over data of one moment, branches, fresh generations, warming."""
