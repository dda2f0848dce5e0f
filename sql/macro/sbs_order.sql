-- Value that SBS minimises, by the protocol's sbs_criterion: mean cost, mean PAR1 (for
-- qualities mean cost), or minus the share solved; to 12 digits.
create or replace macro sbs_order(criterion, cost, par1, solved) as
    comparable(
        case criterion
            when 'par' then cost
            when 'par1' then coalesce(par1, cost)
            else -solved
        end
    )
